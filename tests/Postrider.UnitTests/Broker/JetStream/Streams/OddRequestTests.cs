using System.Text.Json.Nodes;
using Postrider.UnitTests.Broker.JetStream.Consumers;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Values that clients send although few people would: they are answered as nats-server 2.15.1 answers them.</summary>
public sealed class OddRequestTests
{
    [Fact]
    public void Number_of_a_stream_that_is_null_is_absent()
    {
        using var engine = new StreamHarness();

        var config = engine.Do(
            "STREAM.CREATE.S",
            """
            {"name":"S","max_age":null,"max_msgs":null,"max_bytes":null,"max_msg_size":null,"max_consumers":null,"max_msgs_per_subject":null,"num_replicas":null,"duplicate_window":null,
             "first_seq":null,"subject_delete_marker_ttl":null}
            """)["config"]!;

        Assert.Equal((0L, -1, -1, -1), ((long)config["max_age"]!, (int)config["max_msgs"]!, (int)config["max_bytes"]!, (int)config["max_msg_size"]!));
        Assert.Equal((-1, -1, 1, 120_000_000_000), ((int)config["max_consumers"]!, (int)config["max_msgs_per_subject"]!, (int)config["num_replicas"]!, (long)config["duplicate_window"]!));
    }

    [Fact]
    public void Number_of_a_consumer_that_is_null_is_absent()
    {
        using var harness = new ConsumerHarness().WithStream();

        var config = harness.Durable("\"ack_policy\":\"explicit\",\"ack_wait\":null,\"max_deliver\":null,\"max_ack_pending\":null,\"opt_start_seq\":null,\"inactive_threshold\":null")["config"]!;

        Assert.Equal((30_000_000_000, -1), ((long)config["ack_wait"]!, (int)config["max_deliver"]!));
    }

    [Fact]
    public void Value_of_metadata_that_is_null_is_empty()
    {
        using var harness = new ConsumerHarness().WithStream("\"metadata\":{\"a\":null}");

        Assert.Equal("", (string)harness.Engine.Do("STREAM.INFO.S")["config"]!["metadata"]!["a"]!);
        Assert.Equal("", (string)harness.Durable("\"ack_policy\":\"explicit\",\"metadata\":{\"a\":null}")["config"]!["metadata"]!["a"]!);
    }

    [Theory]
    [InlineData("\"subjects\":[null]", "500 10052 invalid subject")]
    [InlineData("\"sources\":[{\"name\":\"X\",\"filter_subject\":\"..\"}]", "500 10049 subject filter '..' for the source: invalid subject")]
    public void Subject_that_is_none_is_refused(string members, string error)
    {
        using var engine = new StreamHarness();

        Assert.Equal(error, engine.Error("STREAM.CREATE.S", $$"""{"name":"S",{{members}}}"""));
    }

    [Theory]
    [InlineData("\"sample_freq\":\"99999999999\"", "sample_freq")]
    [InlineData("\"deliver_policy\":\"by_start_time\",\"opt_start_time\":\"9999-12-31T23:59:59.999999999Z\"", "opt_start_time")]
    [InlineData("\"pause_until\":\"9999-12-31T23:59:59.999999999Z\"", "pause_until")]
    public void Value_beyond_what_is_sensible_is_kept(string members, string name)
    {
        using var harness = new ConsumerHarness().WithStream();

        var config = harness.Durable("\"ack_policy\":\"explicit\"," + members)["config"]!;

        Assert.Contains($"\"{name}\":\"{(string)config[name]!}\"", members, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("STREAM.NAMES", 1)]
    [InlineData("STREAM.LIST", 1)]
    [InlineData("CONSUMER.NAMES.S", 0)]
    [InlineData("CONSUMER.LIST.S", 0)]
    public void Offset_beyond_the_end_is_the_end(string operation, int total)
    {
        using var harness = new ConsumerHarness().WithStream();

        foreach (var offset in (string[])["2147483648", "3000000000", "9223372036854775807"])
        {
            var page = harness.Engine.Do(operation, $$"""{"offset":{{offset}}}""");

            Assert.Equal((total, total), ((int)page["total"]!, (int)page["offset"]!));
        }
    }

    [Theory]
    [InlineData("", "deleted")]
    [InlineData("{}", "deleted")]
    [InlineData(" { }\n", "deleted")]
    [InlineData(" ", "400 10038 expected an empty request payload")]
    [InlineData("[]", "400 10038 expected an empty request payload")]
    [InlineData("{\"a\":1}", "400 10038 expected an empty request payload")]
    public void Stream_is_deleted_if_the_request_is_empty_or_has_no_members(string request, string expected)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S"}""");

        var answer = engine.Api("STREAM.DELETE.S", request);

        Assert.Equal(expected, answer["error"] is { } error ? $"{error["code"]} {error["err_code"]} {error["description"]}" : "deleted");
        Assert.Equal(expected == "deleted" ? 0 : 1, engine.Streams.Streams.Count);
    }

    [Theory]
    [InlineData("STREAM.MSG.DELETE.S", "", 10003)]
    [InlineData("STREAM.MSG.DELETE.S", "{ }", 10003)]
    [InlineData("STREAM.MSG.DELETE.S", " ", 10043)]
    [InlineData("STREAM.MSG.GET.S", "{ }", 10003)]
    [InlineData("STREAM.SNAPSHOT.S", "{ }", 10003)]
    [InlineData("STREAM.RESTORE.S", "{ }", 10003)]
    public void Request_that_needs_members_is_refused_without_them(string operation, string request, int error)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","storage":"memory"}""");

        Assert.Equal(error, (int)engine.Api(operation, request)["error"]!["err_code"]!);
    }

    // The sources of transforms and the filters of a consumer are compared like the subjects of a stream: see SubjectOverlapsTests.
    [Theory]
    [InlineData("transforms")]
    [InlineData("filters")]
    public void Very_many_subjects_are_taken_unless_comparing_them_costs_too_much(string what)
    {
        using var harness = new ConsumerHarness().WithStream();
        var cheap = Enumerable.Range(0, 20_000).Select(static i => $"a.{i}.b").ToArray();
        // Each of the last ones is compared with every one of the first.
        string[] costly = [.. Enumerable.Range(0, 4096).Select(static i => Pattern(i) + $".c{i}"), .. Enumerable.Range(0, 2000).Select(static i => Pattern(0) + $".d{i}")];

        if (what == "filters")
        {
            Assert.Equal(20_000, Create(cheap)["config"]!["filter_subjects"]!.AsArray().Count);
            Assert.EndsWith("too many subjects with wildcards to check for overlaps", (string)Create(costly, "D")["error"]!["description"]!, StringComparison.Ordinal);
        }
        else
        {
            Assert.Equal(20_000, Follow(cheap)["config"]!["sources"]![0]!["subject_transforms"]!.AsArray().Count);
            Assert.Equal(10147, (int)Follow(costly, "U")["error"]!["err_code"]!);
        }

        JsonNode Create(string[] filters, string name = "C") => Ask($"CONSUMER.CREATE.S.{name}", new JsonObject
        {
            ["stream_name"] = "S",
            ["config"] = new JsonObject { ["durable_name"] = name, ["ack_policy"] = "explicit", ["filter_subjects"] = List(filters) },
        });

        JsonNode Follow(string[] filters, string name = "T") => Ask($"STREAM.CREATE.{name}", new JsonObject
        {
            ["name"] = name,
            ["sources"] = new JsonArray(new JsonObject
            {
                ["name"] = "S",
                ["subject_transforms"] = new JsonArray([.. filters.Select(static filter => new JsonObject { ["src"] = filter, ["dest"] = "x" })]),
            }),
        });

        JsonNode Ask(string operation, JsonObject request)
            => JsonNode.Parse(harness.Engine.Request("$JS.API." + operation, request.ToJsonString()).Single().Payload)!;

        static string Pattern(int wildcards) => "a." + string.Join('.', Enumerable.Range(0, 12).Select(bit => (wildcards >> bit & 1) == 0 ? "a" : "*"));

        static JsonArray List(string[] texts) => new([.. texts.Select(static text => JsonValue.Create(text))]);
    }
}
