/// One try of an exchange: a first hop, and those that redirects lead to.
struct Attempt {
    /// Hops that went as far as the network.
    var hops = 0
}
