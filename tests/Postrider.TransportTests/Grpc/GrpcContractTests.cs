using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Grpc;

/// <summary>Dead letters are sent on, and not kept: they are listed where they arrive.</summary>
public sealed class GrpcContractTests(GrpcHarness harness) : RequestCases(harness), IClassFixture<GrpcHarness>;
