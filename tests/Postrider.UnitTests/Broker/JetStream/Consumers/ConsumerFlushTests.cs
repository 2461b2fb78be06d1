using Postrider.Broker;
using Postrider.UnitTests.Broker.JetStream.Streams;
using Postrider.UnitTests.Storage;

namespace Postrider.UnitTests.Broker.JetStream.Consumers;

/// <summary>What the disk has of a consumer when its request is answered.</summary>
public class ConsumerFlushTests
{
    [Theory]
    [InlineData(JetStreamDurability.PageCache, "durable_name", 0, 1, 0)]
    [InlineData(JetStreamDurability.PageCache, "name", 0, 1, 0)]
    [InlineData(JetStreamDurability.GroupSync, "durable_name", 3, 2, 1)]
    [InlineData(JetStreamDurability.GroupSync, "name", 0, 1, 0)]
    [InlineData(JetStreamDurability.SyncEach, "durable_name", 3, 2, 1)]
    [InlineData(JetStreamDurability.SyncEach, "name", 0, 1, 0)]
    public void Requests_wait_for_the_disk_only_where_the_setting_asks_for_it(JetStreamDurability durability, string kind, int made, int changed, int deleted)
    {
        var disk = new SimulatedTree();
        using var harness = new ConsumerHarness(new JetStreamOptions { Durability = durability }, disk).WithStream();
        var flushes = 0;
        disk.Child("$G", "streams", "S", "obs", "C").Disk.OnOperation(operation => flushes += operation == "sync" ? 1 : 0);

        harness.Engine.Do("CONSUMER.CREATE.S.C", $$$"""{"stream_name":"S","config":{"{{{kind}}}":"C"}}""");
        var afterCreate = flushes;
        harness.Engine.Do("CONSUMER.CREATE.S.C", $$$"""{"stream_name":"S","config":{"{{{kind}}}":"C","description":"changed"}}""");
        var afterUpdate = flushes;
        harness.Engine.Do("CONSUMER.DELETE.S.C");

        Assert.Equal((made, changed, deleted), (afterCreate, afterUpdate - afterCreate, flushes - afterUpdate));
    }

    [Theory]
    [InlineData(JetStreamDurability.GroupSync)]
    [InlineData(JetStreamDurability.SyncEach)]
    public void Flushed_consumer_is_there_after_a_power_cut_and_begins_where_it_began(JetStreamDurability durability)
    {
        var before = new SimulatedTree();
        using (var filling = new ConsumerHarness(disk: before)) filling.WithStream().WithMessages(5);
        var disk = before.Copy();
        var options = new JetStreamOptions { Durability = durability };
        using var harness = new ConsumerHarness(options, disk);
        harness.Durable("\"deliver_policy\":\"last\"");

        for (var cut = 0; cut < 50; cut++)
        {
            using var after = new ConsumerHarness(options, disk.PowerCut(new Random(cut)));
            Assert.Equal(4, (int)after.Info()["delivered"]!["stream_seq"]!);
            Assert.Null(after.Engine.Engine.Progress.Describe());
            Assert.Null(after.Engine.Engine.Progress.DescribeWarnings());
        }
    }

    [Fact]
    public void Changed_consumer_is_the_old_or_the_new_one_after_a_power_cut()
    {
        var disk = new SimulatedTree();
        using var harness = new ConsumerHarness(new JetStreamOptions { Durability = JetStreamDurability.GroupSync }, disk).WithStream();
        harness.Durable("\"description\":\"old\"");
        var later = disk.Copy();
        using var changing = new ConsumerHarness(disk: later);
        changing.Engine.Do("CONSUMER.CREATE.S.C", """{"stream_name":"S","config":{"durable_name":"C","description":"new"}}""");

        for (var cut = 0; cut < 50; cut++)
        {
            using var after = new ConsumerHarness(disk: later.PowerCut(new Random(cut)));
            Assert.Contains((string?)after.Info()["config"]!["description"], (string[])["old", "new"]);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(200)]
    public void New_consumer_of_which_a_power_cut_left_blank_files_is_gone_and_told(int bytes)
    {
        var disk = new SimulatedTree();
        using (var harness = new ConsumerHarness(disk: disk).WithStream())
        {
            harness.Durable();
        }
        var folder = disk.Child("$G", "streams", "S", "obs", "C").Disk;
        foreach (var name in folder.Files()) folder.Replace(name, new byte[bytes]);

        using var after = new ConsumerHarness(disk: disk.Copy());

        Assert.Equal("404 10014 consumer not found", after.Engine.Error("CONSUMER.INFO.S.C"));
        Assert.Null(after.Engine.Engine.Progress.Describe());
        Assert.Contains("'$G > S > C': it had just been created when the machine stopped", after.Engine.Engine.Progress.DescribeWarnings(), StringComparison.Ordinal);
        Assert.Empty(after.Engine.Do("CONSUMER.NAMES.S")["consumers"]!.AsArray());
    }

    [Fact]
    public void Consumer_that_was_not_flushed_passes_nothing_over_after_a_power_cut()
    {
        var disk = new SimulatedTree();
        using var harness = new ConsumerHarness(disk: disk).WithStream();
        harness.WithMessages(5);
        var cutOff = disk.Copy();
        using var creating = new ConsumerHarness(disk: cutOff);
        creating.Durable();

        for (var cut = 0; cut < 200; cut++)
        {
            using var after = new ConsumerHarness(disk: cutOff.PowerCut(new Random(cut)));
            var isThere = after.Engine.Do("CONSUMER.NAMES.S")["consumers"]!.AsArray().Count == 1;
            if (isThere) Assert.Equal(5, (int)after.Info()["num_pending"]!);
        }
    }
}
