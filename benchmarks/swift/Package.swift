// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "netcore-benchmarks",
    dependencies: [.package(name: "netcore", path: "../..")],
    targets: [
        .target(name: "BenchWindow"),
        .executableTarget(
            name: "netcore-load", dependencies: ["BenchWindow", .product(name: "Netcore", package: "netcore")]),
        .executableTarget(name: "urlsession-load", dependencies: ["BenchWindow"]),
    ],
    swiftLanguageModes: [.v6]
)
