/// The values of the public API live in NetcoreHTTP, so that pure rules can be tested without the engine.
@_exported public import NetcoreHTTP
