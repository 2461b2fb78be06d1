using Postrider.InteropTests.Operators;
using Postrider.InteropTests.Protocol;
using Postrider.InteropTests.WebSockets;

namespace Postrider.InteropTests.Attacks;

/// <summary>The table of attacks, by family: each family is a table that can be read in one place, and each row is tried on both servers.</summary>
public sealed class AttackTableTests
{
    private const int Least = 200;

    // Not counted: the hundreds of malformed frames in BadInputs, and leaf nodes, routes and callouts, which have tables of their own.
    public static TheoryData<string, int, int> Families => new()
    {
        { "permissions: wildcards, queues, replies, imports, mappings, traces, smuggling", PermissionAttacks.All.Count, 90 },
        { "credentials: passwords, hashes, tokens, nkeys", CredentialAttacks.All.Count, 60 },
        { "JWTs: expired, early, revoked, forged, of the wrong kind", TokenStories.Names.Count(), 60 },
        { "monitoring: paths, methods, heads", MonitoringAttacks.All.Count, 55 },
        { "WebSockets: handshakes", WebSocketAnswerTests.Requests.Count, 25 },
        { "WebSockets: masking, fragments", WebSocketAnswerTests.Frames.Count + WebSocketAnswerTests.BrokenFrames.Count, 30 },
        { "WebSockets: compressed frames", WebSocketAnswerTests.CompressedFrames.Count, 11 },
        { "TLS: bytes in place of a handshake, versions, certificates", TlsAttacks.All.Count, 36 },
        { "frames that no client should send", BadInputs.All.Count, 200 },
    };

    [Theory]
    [MemberData(nameof(Families))]
    public void Family_has_its_rows(string family, int count, int least) => Assert.True(count >= least, $"{family} has {count} rows of {least}.");

    [Fact]
    public void There_are_at_least_two_hundred_without_malformed_frames()
        => Assert.InRange(PermissionAttacks.All.Count + CredentialAttacks.All.Count + MonitoringAttacks.All.Count + WebSocketAnswerTests.BrokenFrames.Count, Least, int.MaxValue);
}
