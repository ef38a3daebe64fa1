//! Minimax and alpha-beta on a tree that is written down, step by step, as textbooks draw it.

use serde_json::{Value, json};

/// The largest tree.
const MOST: usize = 2000;
/// The deepest tree: searches call themselves.
const DEEPEST: usize = 64;

struct Node {
    parent: Option<usize>,
    children: Vec<usize>,
    max: bool,
    leaf: Option<f64>,
}

/// A tree: `((3 12 8) (2 4 6) (14 5 2))`; the root is the first node.
struct Tree(Vec<Node>);

impl Tree {
    fn read(text: &str) -> Result<Tree, String> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let spaced = text.replace('(', " ( ").replace(')', " ) ").replace(',', " ");
        for word in spaced.split_whitespace() {
            if word == ")" {
                let closed = open.pop().ok_or("the tree: found `)` without `(`")?;
                if nodes[closed].children.is_empty() {
                    return Err(
                        "the tree: expected numbers or brackets inside `( )`, found nothing".to_owned()
                    );
                }
                continue;
            }
            if open.is_empty() && !nodes.is_empty() {
                return Err(format!("the tree: expected one root, found `{word}` after it"));
            }
            if nodes.len() >= MOST || open.len() >= DEEPEST {
                return Err(format!("the tree: expected at most {MOST} nodes, {DEEPEST} deep"));
            }
            let parent = open.last().copied();
            let leaf =
                match word {
                    "(" => None,
                    number => Some(number.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(
                        || format!("the tree: expected a number or a bracket, found `{number}`"),
                    )?),
                };
            let id = nodes.len();
            nodes.push(Node { parent, children: Vec::new(), max: open.len().is_multiple_of(2), leaf });
            if let Some(parent) = parent {
                nodes[parent].children.push(id);
            }
            if leaf.is_none() {
                open.push(id);
            }
        }
        match (nodes.is_empty(), open.is_empty()) {
            (true, _) => {
                Err("the tree: expected one such as `((3 12 8) (2 4 6) (14 5 2))`, found nothing".to_owned())
            }
            (_, false) => Err("the tree: expected `)` at its end".to_owned()),
            _ => Ok(Tree(nodes)),
        }
    }
}

/// A search that records what it does.
struct Walk<'a> {
    tree: &'a Tree,
    prunes: bool,
    steps: Vec<Value>,
    leaves: u32,
}

/// An end of an interval: nothing where it is open.
fn finite(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}

impl Walk<'_> {
    fn say(&mut self, mut step: Value, alpha: f64, beta: f64) {
        if self.prunes {
            step["alpha"] = finite(alpha);
            step["beta"] = finite(beta);
        }
        self.steps.push(step);
    }

    /// The value of a node within an interval, and its best child.
    fn value(&mut self, id: usize, mut alpha: f64, mut beta: f64) -> (f64, Option<usize>) {
        let node = &self.tree.0[id];
        if let Some(value) = node.leaf {
            self.leaves += 1;
            self.steps.push(json!({ "step": "leaf", "node": id, "value": value }));
            return (value, None);
        }
        self.say(json!({ "step": "enter", "node": id }), alpha, beta);
        let mut best = (if node.max { f64::NEG_INFINITY } else { f64::INFINITY }, None);
        for (place, &child) in node.children.iter().enumerate() {
            let (value, _) = self.value(child, alpha, beta);
            if best.1.is_none() || (if node.max { value > best.0 } else { value < best.0 }) {
                best = (value, Some(child));
            }
            if node.max {
                alpha = alpha.max(best.0);
            } else {
                beta = beta.min(best.0);
            }
            self.say(json!({ "step": "back", "node": id, "from": child, "value": best.0 }), alpha, beta);
            let left = &node.children[place + 1..];
            if self.prunes && alpha >= beta && !left.is_empty() {
                self.steps.push(json!({ "step": "cut", "node": id, "after": child, "left": left }));
                break;
            }
        }
        self.steps.push(json!({ "step": "leave", "node": id, "value": best.0 }));
        best
    }
}

/// The trace of a search, `minimax` or `alphabeta`.
pub(super) fn trace(tree: &str, search: &str) -> Result<Value, String> {
    let prunes = match search {
        "minimax" => false,
        "alphabeta" => true,
        other => return Err(format!("expected the search `minimax` or `alphabeta`, found `{other}`")),
    };
    let tree = Tree::read(tree)?;
    let mut walk = Walk { tree: &tree, prunes, steps: Vec::new(), leaves: 0 };
    let (value, best) = walk.value(0, f64::NEG_INFINITY, f64::INFINITY);
    let nodes = tree.0.iter().enumerate().map(|(id, node)| {
        let mut value =
            json!({ "id": id, "parent": node.parent, "children": node.children, "max": node.max });
        if let Some(leaf) = node.leaf {
            value["leaf"] = json!(leaf);
        }
        value
    });
    Ok(json!({
        "nodes": nodes.collect::<Value>(),
        "steps": walk.steps,
        "value": value,
        "best": best,
        "leaves": walk.leaves,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOK: &str = "((3 12 8) (2 4 6) (14 5 2))";

    #[test]
    fn the_textbooks_tree_has_the_textbooks_numbers() {
        let full = trace(BOOK, "minimax").unwrap();
        assert_eq!(
            (full["value"].as_f64(), full["leaves"].as_u64(), full["best"].as_u64()),
            (Some(3.0), Some(9), Some(1))
        );
        let pruned = trace(BOOK, "alphabeta").unwrap();
        // After the 2 of the second node its 4 and 6 are left out.
        assert_eq!((pruned["value"].as_f64(), pruned["leaves"].as_u64()), (Some(3.0), Some(7)));
        let steps = pruned["steps"].as_array().unwrap();
        let cut: Vec<&Value> = steps.iter().filter(|step| step["step"] == "cut").collect();
        assert_eq!(cut, [&json!({ "step": "cut", "node": 5, "after": 6, "left": [7, 8] })]);
        let root = steps.iter().find(|step| step["step"] == "back" && step["node"] == 0).unwrap();
        assert_eq!((&root["alpha"], &root["beta"]), (&json!(3.0), &Value::Null));
    }

    #[test]
    fn both_searches_agree_on_any_tree() {
        for tree in ["5", "(1 2)", "((1 (2 3)) 4 ((5) (0 9)))", "(((1 2) (3 4)) ((-5.5 6) (7 8)))"] {
            assert_eq!(
                trace(tree, "minimax").unwrap()["value"],
                trace(tree, "alphabeta").unwrap()["value"],
                "{tree}"
            );
        }
    }

    #[test]
    fn a_broken_tree_says_what_was_expected() {
        for (tree, problem) in [
            ("", "found nothing"),
            ("(1 2", "expected `)`"),
            ("1 2", "expected one root"),
            ("(1 x)", "found `x`"),
            ("(1 ())", "inside `( )`"),
            (")", "without `(`"),
            (&"(".repeat(100), "64 deep"),
        ] {
            let error = trace(tree, "minimax").unwrap_err();
            assert!(error.contains(problem), "{tree}: {error}");
        }
        assert!(trace("1", "mcts").unwrap_err().contains("found `mcts`"));
    }
}
