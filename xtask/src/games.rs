//! The games by name: the one place where a name on the command line becomes a type.
