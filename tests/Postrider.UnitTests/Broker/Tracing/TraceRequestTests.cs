using System.Text;
using Postrider.Broker.Tracing;

namespace Postrider.UnitTests.Broker.Tracing;

public sealed class TraceRequestTests
{
    [Fact]
    public void Destination_is_found_at_every_place()
    {
        for (var before = 0; before < 70; before++)
        {
            for (var after = 0; after < 40; after++)
            {
                var first = before == 0 ? "" : "a:" + new string('T', before) + "\r\n";
                var headers = Encoding.ASCII.GetBytes("NATS/1.0\r\n" + first + "Nats-Trace-Dest:d\r\n" + (after == 0 ? "" : "b:" + new string('D', after) + "\r\n") + "\r\n");

                Assert.True(TraceRequest.MayBeIn(headers, tracesParents: false), Encoding.ASCII.GetString(headers));
                Assert.Equal("d", TraceRequest.Read(headers)!.Destination);
            }
        }
    }

    [Fact]
    public void Other_headers_of_every_length_request_nothing()
    {
        for (var length = 0; length < 120; length++)
        {
            foreach (var name in (string[])["N", "Nats-Trace-Hop", "Nats-Trace-Only", "nats-trace-dest", "NNats-Trace-Dest", "Nats-Msg-Id", "\nxxxxTxxxxxD"])
            {
                var headers = Encoding.ASCII.GetBytes($"NATS/1.0\r\n{name}:{new string('\n', length)}\r\n\r\n");

                Assert.False(TraceRequest.MayBeIn(headers, tracesParents: false), Encoding.ASCII.GetString(headers));
                Assert.Null(TraceRequest.Read(headers));
            }
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("NATS/1.0\r\n\r\n")]
    [InlineData("NATS/1.0 503\r\n\r\n")]
    [InlineData("\nNats-Trace-Dest:d\r\n\r\n")]
    public void Short_blocks_request_nothing(string headers)
        => Assert.False(TraceRequest.MayBeIn(Encoding.ASCII.GetBytes(headers), tracesParents: false));
}
