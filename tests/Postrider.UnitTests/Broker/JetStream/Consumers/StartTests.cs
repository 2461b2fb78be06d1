using System.Text;
using Postrider.Broker.JetStream.Text;

namespace Postrider.UnitTests.Broker.JetStream.Consumers;

public sealed class StartTests
{
    public static TheoryData<string, string, int> Starts => new()
    {
        { "\"deliver_policy\":\"all\"", "1 2 3 4 5", 5 },
        { "\"deliver_policy\":\"last\"", "5", 1 },
        { "\"deliver_policy\":\"new\"", "", 0 },
        { "\"deliver_policy\":\"by_start_sequence\",\"opt_start_seq\":4", "4 5", 2 },
        { "\"deliver_policy\":\"last\",\"filter_subject\":\"a.x\"", "4", 1 },
        { "\"deliver_policy\":\"last_per_subject\",\"filter_subject\":\"a.*\"", "3 4 5", 3 },
        { "\"deliver_policy\":\"all\",\"filter_subject\":\"a.x\"", "1 4", 2 },
        { "\"deliver_policy\":\"all\",\"filter_subjects\":[\"a.x\",\"a.z\"]", "1 3 4", 3 },
        { "\"deliver_policy\":\"by_start_sequence\",\"opt_start_seq\":2,\"filter_subject\":\"a.*\"", "2 3 4 5", 4 },
    };

    [Theory]
    [MemberData(nameof(Starts))]
    public void Consumer_begins_where_its_policy_says(string members, string expected, int pending)
    {
        using var harness = Filled();

        var made = harness.Durable("\"ack_policy\":\"explicit\"," + members);
        using var client = harness.Pull("10");

        Assert.Equal(pending, made["num_pending"]!.GetValue<int>());
        Assert.Equal(expected, client.TakeText());
        Assert.Equal(0, harness.Info()["num_pending"]!.GetValue<int>());
        harness.Engine.Store("a.x", "6");
        Assert.Equal("6", client.TakeText());
    }

    [Fact]
    public void Consumer_begins_at_a_moment()
    {
        using var harness = Filled();
        harness.Advance(10);
        var moment = harness.Engine.Time.GetUtcNow().ToString("O");
        harness.Advance(10);
        harness.Engine.Store("a.x", "6");

        harness.Durable($"\"ack_policy\":\"explicit\",\"deliver_policy\":\"by_start_time\",\"opt_start_time\":\"{moment}\"");
        using var client = harness.Pull("10");

        Assert.Equal("6", client.TakeText());
    }

    [Fact]
    public void Moment_a_nanosecond_behind_a_message_is_behind_it()
    {
        using var harness = Filled();
        harness.Advance(1);
        harness.Engine.Store("a.y", "6");
        var time = (string)harness.Engine.Do("STREAM.MSG.GET.S", """{"last_by_subj":"a.y"}""")["message"]!["time"]!;
        Assert.True(Moment.TryParse(Encoding.UTF8.GetBytes(time), out var last));
        var next = Moment.Of(last.ToNanoseconds() + 1).ToString();

        Assert.Equal(1, Start("AT", last.ToString()));
        Assert.Equal(0, Start("BEHIND", next));
        Assert.Equal(6, (int)harness.Engine.Do("STREAM.MSG.GET.S", $$"""{"start_time":"{{last}}","next_by_subj":"a.y"}""")["message"]!["seq"]!);
        Assert.Equal("404 10037 no message found", harness.Engine.Error("STREAM.MSG.GET.S", $$"""{"start_time":"{{next}}","next_by_subj":"a.y"}"""));

        int Start(string name, string moment)
        {
            var made = harness.Engine.Do(
                $"CONSUMER.CREATE.S.{name}",
                $$$"""{"stream_name":"S","config":{"durable_name":"{{{name}}}","ack_policy":"explicit","deliver_policy":"by_start_time","opt_start_time":"{{{moment}}}"}}""");
            Assert.Equal(moment, (string)made["config"]!["opt_start_time"]!);
            return (int)made["num_pending"]!;
        }
    }

    [Fact]
    public void Consumer_of_an_empty_stream_that_was_not_always_empty_begins_behind_it()
    {
        using var harness = Filled();
        harness.Engine.Do("STREAM.PURGE.S");

        var made = harness.Durable();

        Assert.Equal(5, made["delivered"]!["stream_seq"]!.GetValue<int>());
        Assert.Equal(5, made["ack_floor"]!["stream_seq"]!.GetValue<int>());
    }

    [Fact]
    public void Pending_count_follows_what_is_stored_and_removed_before_it_is_given()
    {
        using var harness = Filled();
        harness.Durable("\"ack_policy\":\"explicit\",\"filter_subject\":\"a.x\"");
        Assert.Equal(2, Pending(harness));

        harness.Engine.Store("a.x", "6");
        harness.Engine.Store("a.y", "7");
        Assert.Equal(3, Pending(harness));
        harness.Engine.Do("STREAM.MSG.DELETE.S", """{"seq":4}""");
        harness.Engine.Do("STREAM.MSG.DELETE.S", """{"seq":5}""");
        Assert.Equal(2, Pending(harness));
        using var client = harness.Pull("1");
        Assert.Equal(1, Pending(harness));
        harness.Engine.Do("STREAM.MSG.DELETE.S", """{"seq":1}""");
        Assert.Equal(1, Pending(harness));
        harness.Engine.Do("STREAM.PURGE.S", """{"filter":"a.x"}""");

        Assert.Equal(0, Pending(harness));
    }

    [Fact]
    public void Pending_count_with_last_per_subject_follows_too()
    {
        using var harness = Filled();
        harness.Durable("\"ack_policy\":\"explicit\",\"deliver_policy\":\"last_per_subject\",\"filter_subject\":\"a.*\"");

        harness.Engine.Do("STREAM.MSG.DELETE.S", """{"seq":4}""");
        Assert.Equal(2, Pending(harness));
        harness.Engine.Store("a.x", "6");
        Assert.Equal(3, Pending(harness));
        using var client = harness.Pull("10");

        Assert.Equal("3 5 6", client.TakeText());
    }

    [Fact]
    public void Changed_filter_counts_and_gives_by_the_new_one()
    {
        using var harness = Filled();
        harness.Durable("\"ack_policy\":\"explicit\",\"filter_subject\":\"a.x\"");
        using var client = harness.Pull("1");
        Assert.Equal("1", client.TakeText());

        var changed = harness.Durable("\"ack_policy\":\"explicit\",\"filter_subjects\":[\"a.y\",\"a.z\"]");
        client.Pull("10");

        Assert.Equal(3, changed["num_pending"]!.GetValue<int>());
        Assert.Equal("2 3 5", client.TakeText());
    }

    // 1 a.x, 2 a.y, 3 a.z, 4 a.x, 5 a.y
    private static ConsumerHarness Filled()
    {
        var harness = new ConsumerHarness().WithStream();
        var number = 0;
        foreach (var subject in (string[])["a.x", "a.y", "a.z", "a.x", "a.y"]) harness.Engine.Store(subject, $"{++number}");
        return harness;
    }

    private static int Pending(ConsumerHarness harness) => harness.Info()["num_pending"]!.GetValue<int>();
}
