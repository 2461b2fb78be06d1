using System.Text.Json;
using System.Text.Json.Nodes;
using Postrider.Broker;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.UnitTests.Broker.JetStream.Consumers;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>What those who listen are told; the members are nats-server's.</summary>
public sealed class AdvisoryTests
{
    [Fact]
    public void Every_request_is_told_of_with_its_answer()
    {
        using var engine = new StreamHarness();
        using var audit = engine.Listen("$JS.EVENT.ADVISORY.API");

        engine.Request("$JS.API.STREAM.CREATE.S", """{"name":"S"}""");
        var refused = engine.Request("$JS.API.STREAM.INFO.NONE").Single().Payload;

        var told = audit.Messages.Select(static message => JsonNode.Parse(message.Payload)!.AsObject()).ToArray();
        Assert.Equal(["$JS.API.STREAM.CREATE.S", "$JS.API.STREAM.INFO.NONE"], told.Select(static advisory => (string)advisory["subject"]!));
        Assert.All(told, static advisory => Assert.Equal(("io.nats.jetstream.advisory.v1.api_audit", "test"), ((string)advisory["type"]!, (string)advisory["server"]!)));
        Assert.Equal("""{"name":"S"}""", (string)told[0]["request"]!);
        Assert.Equal("io.nats.jetstream.api.v1.stream_create_response", (string)JsonNode.Parse((string)told[0]["response"]!)!["type"]!);
        Assert.False(told[1].ContainsKey("request"));
        Assert.Equal(refused, (string)told[1]["response"]!);
    }

    [Theory]
    [InlineData("$G", false, "acc,client_type,host,id,kind,lang,name,rtt,server,start,user,ver")]
    [InlineData("OTHER", false, "acc,rtt,server,svc")]
    [InlineData("OTHER", true, "acc,client_type,host,id,kind,lang,name,rtt,server,start,svc,user,ver")]
    public void Client_of_another_account_is_shown_as_far_as_its_import_shares_it(string account, bool shares, string members)
    {
        using var engine = new StreamHarness();
        var client = new Asker(7, "user") { AccountName = account };
        var headers = account == "$G" ? [] : RequestInfo.Write([], client, account, "test", null, shares);

        var shown = JsonSerializer.SerializeToNode(AdvisoryPublisher.Describe(engine.Streams.Services, client, headers)!, StreamJson.Default.AdvisoryClient)!.AsObject();

        Assert.Equal(members, string.Join(',', shown.Select(static member => member.Key).Order(StringComparer.Ordinal)));
        Assert.Equal((account, account == "$G" ? null : "$G"), ((string)shown["acc"]!, (string?)shown["svc"]));
    }

    [Fact]
    public void Message_that_a_client_gets_is_neither_counted_nor_audited()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a"]}""");
        engine.Store("a", "secret");
        using var audit = engine.Listen("$JS.EVENT.ADVISORY.API");
        var before = engine.Streams.ApiTotal;

        engine.Do("STREAM.MSG.GET.S", """{"seq":1}""");
        engine.Error("STREAM.MSG.GET.S", """{"seq":2}""");

        Assert.Equal((before + 1, 1), (engine.Streams.ApiTotal, audit.Messages.Count));
        Assert.Contains("10037", audit.Messages.Single().Payload, StringComparison.Ordinal);
    }

    [Fact]
    public void Streams_tell_when_they_are_made_changed_and_deleted()
    {
        using var engine = new StreamHarness();
        using var advisories = engine.Listen("$JS.EVENT.ADVISORY.STREAM.>");

        engine.Do("STREAM.CREATE.S", """{"name":"S"}""");
        engine.Do("STREAM.CREATE.S", """{"name":"S"}""");
        engine.Do("STREAM.UPDATE.S", """{"name":"S","max_msgs":5}""");
        engine.Do("STREAM.DELETE.S");

        Assert.Equal(
            ["CREATED.S create", "UPDATED.S modify", "DELETED.S delete"],
            advisories.Messages.Select(static message => $"{message.Subject["$JS.EVENT.ADVISORY.STREAM.".Length..]} {JsonNode.Parse(message.Payload)!["action"]}"));
        Assert.All(advisories.Messages, static message => Assert.Equal("io.nats.jetstream.advisory.v1.stream_action", (string)JsonNode.Parse(message.Payload)!["type"]!));
    }

    [Fact]
    public void A_pause_and_its_end_are_told_of()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();
        using var advisories = harness.Listen("$JS.EVENT.ADVISORY.CONSUMER.PAUSE.S.C");
        var until = harness.Engine.Time.GetUtcNow().AddSeconds(2).ToString("O");

        harness.Engine.Do("CONSUMER.PAUSE.S.C", $$"""{"pause_until":"{{until}}"}""");
        harness.Advance(2.1);

        var told = advisories.Take().Select(static message => JsonNode.Parse(message.Payload)!).ToArray();
        Assert.Equal([true, false], told.Select(static advisory => (bool)advisory["paused"]!));
        Assert.All(told, static advisory => Assert.Equal(
            ("io.nats.jetstream.advisory.v1.consumer_pause", "S", "C"), ((string)advisory["type"]!, (string)advisory["stream"]!, (string)advisory["consumer"]!)));
    }

    [Fact]
    public void Pinning_a_client_and_letting_it_go_are_told_of()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable("\"ack_policy\":\"explicit\",\"priority_policy\":\"pinned_client\",\"priority_groups\":[\"g\"],\"priority_timeout\":2000000000");
        using var pinned = harness.Listen("$JS.EVENT.ADVISORY.CONSUMER.PINNED.S.C");
        using var unpinned = harness.Listen("$JS.EVENT.ADVISORY.CONSUMER.UNPINNED.S.C");

        using var client = harness.Pull("""{"batch":1,"group":"g"}""");
        var pin = harness.Info()["priority_groups"]![0]!["pinned_client_id"]!.GetValue<string>();
        harness.Engine.Do("CONSUMER.UNPIN.S.C", """{"group":"g"}""");

        var told = JsonNode.Parse(pinned.Take().Single().Payload)!;
        Assert.Equal(
            ("io.nats.jetstream.advisory.v1.consumer_group_pinned", "$G", "S", "C", "g", pin),
            ((string)told["type"]!, (string)told["account"]!, (string)told["stream"]!, (string)told["consumer"]!, (string)told["group"]!, (string)told["pinned_id"]!));
        var ended = JsonNode.Parse(unpinned.Take().Single().Payload)!;
        Assert.Equal(
            ("io.nats.jetstream.advisory.v1.consumer_group_unpinned", "g", "admin"),
            ((string)ended["type"]!, (string)ended["group"]!, (string)ended["reason"]!));
    }

    [Fact]
    public void A_pinned_client_that_falls_silent_is_told_of()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable("\"ack_policy\":\"explicit\",\"priority_policy\":\"pinned_client\",\"priority_groups\":[\"g\"],\"priority_timeout\":2000000000");
        using var unpinned = harness.Listen("$JS.EVENT.ADVISORY.CONSUMER.UNPINNED.S.C");
        using var client = harness.Pull("""{"batch":1,"group":"g"}""");

        harness.Advance(2.1);

        Assert.Equal("timeout", (string)JsonNode.Parse(unpinned.Take().Single().Payload)!["reason"]!);
    }
}
