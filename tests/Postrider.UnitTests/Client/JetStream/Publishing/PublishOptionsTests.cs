using Postrider.Client;
using Postrider.Client.JetStream;

namespace Postrider.UnitTests.Client.JetStream.Publishing;

public sealed class PublishOptionsTests
{
    [Fact]
    public void Nothing_said_leaves_the_headers_alone()
    {
        var headers = new NatsHeaders { ["A"] = "1" };

        Assert.Same(headers, new PublishOptions().AddTo(headers));
        Assert.Null(new PublishOptions().AddTo(null));
    }

    [Fact]
    public void Everything_said_becomes_a_header_beside_the_callers()
    {
        var options = new PublishOptions
        {
            MessageId = "id",
            ExpectedStream = "S",
            ExpectedLastSequence = 0,
            ExpectedLastSubjectSequence = 7,
            ExpectedLastSubjectSequenceSubject = "a.>",
            ExpectedLastMessageId = "before",
            TimeToLive = TimeSpan.FromMilliseconds(1500),
            Rollup = PublishRollup.Stream,
            Schedule = "@every 1m",
            ScheduleTarget = "later",
            Increment = "-1",
        };

        var headers = options.AddTo(new NatsHeaders { ["Own"] = "x" })!;

        Assert.Equal(
            [
                "Own=x", "Nats-Msg-Id=id", "Nats-Expected-Stream=S", "Nats-Expected-Last-Sequence=0", "Nats-Expected-Last-Subject-Sequence=7",
                "Nats-Expected-Last-Subject-Sequence-Subject=a.>", "Nats-Expected-Last-Msg-Id=before", "Nats-TTL=1.5s", "Nats-Rollup=all",
                "Nats-Schedule=@every 1m", "Nats-Schedule-Target=later", "Nats-Incr=-1",
            ],
            headers.Select(pair => $"{pair.Key}={pair.Value}"));
    }

    [Fact]
    public void Time_to_live_may_be_for_ever_but_not_less_than_a_second()
    {
        Assert.Equal("never", new PublishOptions { TimeToLive = Timeout.InfiniteTimeSpan }.AddTo(null)!["Nats-TTL"]);
        Assert.Equal(NatsErrorCode.InvalidOption, Assert.Throws<NatsClientException>(() => new PublishOptions { TimeToLive = TimeSpan.FromMilliseconds(999) }.AddTo(null)).Code);
    }
}
