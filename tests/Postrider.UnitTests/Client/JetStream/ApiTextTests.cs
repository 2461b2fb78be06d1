using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.UnitTests.Client.JetStream;

public sealed class ApiTextTests
{
    [Fact]
    public void Configuration_is_written_as_the_api_does()
        => Assert.Equal(
            """{"name":"S","subjects":["a.>"],"retention":"workqueue","storage":"memory","num_replicas":1,"max_consumers":-1,"max_msgs":-1,"max_bytes":-1,"max_age":1500000000,"max_msgs_per_subject":-1,"max_msg_size":-1,"discard":"old"}""",
            ApiText.Write(new StreamConfig { Name = "S", Subjects = ["a.>"], Retention = StreamRetention.WorkQueue, Storage = StreamStorage.Memory, MaxAge = TimeSpan.FromSeconds(1.5) }));

    [Fact]
    public void Consumer_is_written_as_the_api_does()
        => Assert.Equal(
            """{"durable_name":"work","deliver_policy":"by_start_sequence","opt_start_seq":7,"ack_policy":"explicit","backoff":[1000000000,2000000000],"replay_policy":"instant","mem_storage":true}""",
            ApiText.Write(new ConsumerConfig { DurableName = "work", DeliverPolicy = DeliverPolicy.ByStartSequence, StartSequence = 7, Backoff = [TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2)], MemoryStorage = true }));

    [Fact]
    public void Field_of_a_newer_server_is_kept()
    {
        const string Json = """{"name":"S","max_msgs":5,"from_the_future":{"x":[1,2]}}""";

        var config = ApiText.ReadStreamConfig(Json) with { MaxMessages = 6 };

        Assert.EndsWith(""","from_the_future":{"x":[1,2]}}""", ApiText.Write(config), StringComparison.Ordinal);
        Assert.Contains("\"max_msgs\":6", ApiText.Write(config), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("{}")]
    [InlineData("""{"name":"S","retention":"sometimes"}""")]
    public void What_is_no_configuration_is_an_error(string json)
        => Assert.Equal(NatsErrorCode.PayloadUnreadable, Assert.Throws<NatsClientException>(() => ApiText.ReadStreamConfig(json)).Code);

    [Fact]
    public void Backup_is_read_as_it_was_written()
    {
        var backup = new StreamBackup(new StreamConfig { Name = "S" }, new StreamState { Messages = 3, LastSequence = 9, FirstTime = DateTimeOffset.UnixEpoch });

        var read = ApiText.ReadStreamBackup(ApiText.Write(backup));

        Assert.Equal(backup, read);
    }
}
