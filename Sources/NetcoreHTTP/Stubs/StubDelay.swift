internal import Glibc

/// How long a stub waits before it answers.
public enum StubDelay: Sendable, Hashable {
    case none
    case fixed(Duration)
    /// Any span between two, each as likely as the other.
    case uniform(Duration, Duration)
    /// Spans whose logarithms are normally distributed, as those of real servers often are: half are below the median, and `sigma`,
    /// the deviation of the logarithm, says how far the slow ones are from it (0.5 is usual; at most 5).
    case logNormal(median: Duration, sigma: Double)

    /// The longest delay.
    static let longest = Duration.seconds(86_400)

    package func check() throws(NetcoreError) {
        let spans: [Duration]
        switch self {
        case .none: spans = []
        case .fixed(let span): spans = [span]
        case .uniform(let shortest, let longest):
            guard shortest <= longest else { throw Self.refused("a uniform delay must not end before it begins") }
            spans = [shortest, longest]
        case .logNormal(let median, let sigma):
            guard sigma >= 0, sigma <= 5 else { throw Self.refused("sigma must be from 0 to 5") }
            spans = [median]
        }
        guard spans.allSatisfy({ $0 >= .zero && $0 <= Self.longest }) else {
            throw Self.refused("must be from 0 to one day")
        }
    }

    private static func refused(_ text: String) -> NetcoreError {
        NetcoreError(.invalidArgument, argument: "delay", text)
    }

    /// - Parameter random: gives numbers of [0, 1).
    package func microseconds(_ random: () -> Double) -> Int {
        let span: Double =
            switch self {
            case .none: 0
            case .fixed(let span): span.inMicroseconds
            case .uniform(let low, let high):
                low.inMicroseconds + (high.inMicroseconds - low.inMicroseconds) * random()
            // Box and Muller's way to a normal distribution.
            case .logNormal(let median, let sigma):
                median.inMicroseconds * exp(sigma * sqrt(-2 * log(1 - random())) * cos(2 * Double.pi * random()))
            }
        return Int(min(max(span, 0), Self.longest.inMicroseconds))
    }
}

extension Duration {
    fileprivate var inMicroseconds: Double {
        Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12
    }
}
