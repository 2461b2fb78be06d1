using System.Text;
using Postrider.Load;
using Postrider.Load.Traffic;

namespace Postrider.UnitTests.Load;

public class FrameCounterTests
{
    private const string Frame = "MSG load.p0 1 5\r\nabcde\r\n";

    public static TheoryData<string, int> StreamsWithPings => new()
    {
        { Frame + Frame + Frame, 0 },
        { "PING\r\n" + Frame + Frame, 1 },
        { Frame + "PING\r\n" + Frame + Frame, 1 },
        { Frame + "PING\r\nPING\r\n" + Frame, 2 },
        { Frame + Frame + "PING\r\n", 1 },
    };

    [Theory]
    [MemberData(nameof(StreamsWithPings))]
    public void Counts_the_frames_and_leaves_out_the_pings_at_any_cut(string stream, int pings)
    {
        var bytes = Encoding.ASCII.GetBytes(stream);

        for (var first = 1; first < bytes.Length; first++)
        {
            for (var second = first; second < bytes.Length; second++)
            {
                var counter = new FrameCounter(Frame.Length, (byte)'M');
                counter.Accept(bytes.AsSpan(0, first));
                if (second > first)
                    counter.Accept(bytes.AsSpan(first, second - first));
                counter.Accept(bytes.AsSpan(second));

                Assert.Equal(bytes.Length - (6 * pings), counter.FrameBytes);
                Assert.Equal(pings, counter.Pings);
            }
        }
    }

    [Fact]
    public void An_error_frame_where_a_message_should_begin_is_not_counted_but_thrown()
    {
        var counter = new FrameCounter(Frame.Length, (byte)'M');

        var thrown = Assert.Throws<LoadException>(() => counter.Accept(Encoding.ASCII.GetBytes(Frame + "-ERR 'Slow Consumer'\r\n")));

        Assert.Contains("-ERR 'Slow Consumer'", thrown.Message);
    }

    [Fact]
    public void A_missing_byte_is_noticed_at_the_next_frame()
    {
        var counter = new FrameCounter(Frame.Length, (byte)'M');

        Assert.Throws<LoadException>(() => counter.Accept(Encoding.ASCII.GetBytes(Frame[..^1] + Frame + Frame)));
    }
}
