using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;

namespace Postrider.SystemTests.CommandLine;

/// <summary>Bad input to the verbs of JetStream: each says what was wrong, most what would be right, and ends with 1.</summary>
public sealed class JetStreamVerbTests(JetStreamVerbTests.Fixture fixture) : IClassFixture<JetStreamVerbTests.Fixture>
{
    [Theory]
    [InlineData("Required argument 'stream' missing for command: 'add'.", "stream add")]
    [InlineData("'frobnicate' is not a command of 'postrider stream'. Commands: add, edit, info, ls, rm, purge, get, view, backup, restore, report, find, subjects, gaps, graph, copy, seal, rmm.", "stream frobnicate")]
    [InlineData("Stream name 'A.B' is empty or contains whitespace, a dot, a wildcard or a slash.", "stream add A.B")]
    [InlineData("'a..b' is not a valid subject: the tokens between dots must not be empty", "stream add S --subjects ok,a..b")]
    [InlineData("'sometimes' is not a valid value of --retention. Values: limits, interest, workQueue.", "stream add S --retention sometimes")]
    [InlineData("'disk' is not a valid value of --storage. Values: file, memory.", "stream add S --storage disk")]
    [InlineData("'newest' is not a valid value of --discard. Values: old, new.", "stream add S --discard newest")]
    [InlineData("'zip' is not a valid value of --compression. Values: none, s2.", "stream add S --compression zip")]
    [InlineData("'soon' is not a duration such as 500ms, 30s, 2h30m or 7d.", "stream add S --max-age soon")]
    [InlineData("'many' is not a whole number for --max-msgs.", "stream add S --max-msgs many")]
    [InlineData("'1XB' is not a size for --max-bytes such as 1000, 64KB or 10GB.", "stream add S --max-bytes 1XB")]
    [InlineData("--max-bytes must be at most 9223372036854775807.", "stream add S --max-bytes 99999999TB")]
    [InlineData("--max-msg-size must be at most 2147483647.", "stream add S --max-msg-size 2GB")]
    [InlineData("There is no terminal to confirm on: use --force to delete stream FULL and all its messages.", "stream rm FULL")]
    [InlineData("There is no terminal to confirm on: use --force to purge stream FULL.", "stream purge FULL")]
    [InlineData("There is no terminal to confirm on: use --force to delete consumer C of stream FULL.", "consumer rm FULL C")]
    [InlineData("There is no terminal to confirm on: use --force to delete bucket B and its contents.", "kv rm B")]
    [InlineData("There is no terminal to confirm on: use --force to purge key a of bucket B with its history.", "kv purge B a")]
    [InlineData("There is no terminal to confirm on: use --force to delete bucket O and its contents.", "object rm O")]
    [InlineData("There is no terminal to confirm on: use --force to seal bucket O permanently.", "object seal O")]
    [InlineData("There is no terminal to confirm on: use --force to drop stored values of bucket B.", "kv edit B --ttl 1h")]
    [InlineData("Nothing to change. Use at least one of --description, --history,", "kv edit B")]
    [InlineData("--history must be at most 64.", "kv edit B --history 65")]
    [InlineData("Bucket 'NONE' does not exist.", "kv edit NONE --history 5")]
    [InlineData("Bucket 'B' does not support a time to live per key. Enable it with 'postrider kv edit B --marker-ttl 1h'", "kv create B t x --ttl 10m")]
    [InlineData("Bucket 'B' does not support a time to live per key.", "kv put B t x --ttl 10m")]
    [InlineData("--max-msgs must be at least -1.", "stream add S --max-msgs -7")]
    [InlineData("--max-msg-size must be at most 2147483647.", "stream add S --max-msg-size 99999999999")]
    [InlineData("replicas > 1 not supported in non-clustered mode", "stream add S --replicas 3")]
    [InlineData("is not a valid StreamConfig", "stream add S --config NOJSON")]
    [InlineData("--mirror: The text is not a valid StreamConfig", "stream add S --mirror {name}")]
    [InlineData("--mirror takes one stream, and 'a,b' names 2.", "stream add S --mirror a,b")]
    [InlineData("--sources names no stream.", "stream add S --sources []")]
    [InlineData("--origin-domain needs --mirror or --sources.", "stream add S --origin-domain hub")]
    [InlineData("STREAM.INFO.NONE: stream not found", "stream info NONE")]
    [InlineData("STREAM.DELETE.NONE: stream not found", "stream rm NONE --force")]
    [InlineData("Nothing to change. Use at least one of --config, --subjects,", "stream edit FULL")]
    [InlineData("stream name already in use with a different configuration (err_code 10058, code 400). The stream differs: subjects is [\"full\"], not [\"other\"].", "stream add FULL --subjects other")]
    [InlineData("subjects overlap with an existing stream", "stream add S --subjects full")]
    [InlineData("--seq and --keep cannot be used together.", "stream purge FULL --seq 3 --keep 2")]
    [InlineData("'.' is not a valid subject", "stream purge FULL --subject .")]
    [InlineData("'x' is not a whole number for seq.", "stream get FULL x")]
    [InlineData("seq must be at least 1.", "stream get FULL 0")]
    [InlineData("Stream FULL has no such message.", "stream get FULL 99")]
    [InlineData("Stream EMPTY has never had a message.", "stream get EMPTY")]
    [InlineData("A sequence and --last-for cannot be used together.", "stream get FULL 1 --last-for full")]
    [InlineData("--count must be at least 1.", "stream view FULL --count 0")]
    [InlineData("/nonexistent does not contain a complete backup: it does not exist. Use 'postrider stream backup' to create one.", "stream restore /nonexistent")]
    [InlineData("'tell' is not a command of 'postrider consumer'. Commands:", "consumer tell FULL C")]
    [InlineData("Required argument 'consumer' missing for command: 'add'.", "consumer add FULL")]
    [InlineData("Consumer name 'a.b' is empty or contains whitespace, a dot, a wildcard or a slash.", "consumer add FULL a.b")]
    [InlineData("'sometimes' is not a valid value of --ack. Values:", "consumer add FULL C --ack sometimes")]
    [InlineData("'maybe' is not a valid value of --deliver. Values: all, last, new,", "consumer add FULL C --deliver maybe")]
    [InlineData("'a..b' is not a valid subject", "consumer add FULL C --filter a..b")]
    [InlineData("--start-seq must be at least 1.", "consumer add FULL C --start-seq 0")]
    [InlineData("stream not found", "consumer add NONE C")]
    [InlineData("CONSUMER.INFO.FULL.NONE: consumer not found", "consumer next FULL NONE")]
    [InlineData("--count must be at least 1.", "consumer next FULL C --count 0")]
    [InlineData("Option '--for' is required.", "consumer pause FULL C")]
    [InlineData("Nothing to change. Use at least one of --config,", "consumer edit FULL C")]
    [InlineData("'bloom' is not a command of 'postrider kv'. Commands: add, edit,", "kv bloom B")]
    [InlineData("Bucket name 'a.b' may only contain letters, digits, '-' and '_'.", "kv add a.b")]
    [InlineData("--history must be at most 64.", "kv add C --history 65")]
    [InlineData("--history must be at least 1.", "kv add C --history 0")]
    [InlineData("'tape' is not a valid value of --storage. Values: file, memory.", "kv add C --storage tape")]
    [InlineData("Bucket 'NONE' does not exist.", "kv get NONE a")]
    [InlineData("Key 'none' does not exist in bucket 'B'.", "kv get B none")]
    [InlineData("Key '.a' may only contain letters, digits,", "kv put B .a x")]
    [InlineData("Key 'a' already exists in bucket 'B'.", "kv create B a x")]
    [InlineData("Key 'a' has no revision 99.", "kv get B a --revision 99")]
    [InlineData("'x' is not a whole number for --revision.", "kv get B a --revision x")]
    [InlineData("--count must be at least 1.", "kv watch B --count 0")]
    [InlineData("Bucket 'NONE' does not exist.", "object get NONE x")]
    [InlineData("Object 'none' does not exist in bucket 'O'.", "object get O none")]
    [InlineData("Could not find file '/nonexistent'.", "object put O /nonexistent")]
    [InlineData("Nothing to change. Use at least one of --rename, --description.", "object edit O none")]
    [InlineData("--count must be at least 1.", "object watch O --count 0")]
    public async Task Bad_input_is_named(string why, string line)
    {
        var (code, output, errors) = await fixture.RunAsync([.. line.Split(' ').Select(word => word == "NOJSON" ? fixture.NoJson : word)]);

        Assert.Equal((1, ""), (code, output));
        Assert.StartsWith("postrider: ", errors, StringComparison.Ordinal);
        Assert.Contains(why, errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Edit_leaves_lists_alone_that_are_not_given()
    {
        await fixture.RunAsync("stream", "add", "KEPT", "--subjects", "kept.a,kept.b");

        await fixture.RunAsync("stream", "edit", "KEPT", "--max-msgs", "5");

        var (code, output, _) = await fixture.RunAsync("stream", "info", "KEPT", "--json");
        Assert.Equal(0, code);
        Assert.Contains("[\"kept.a\",\"kept.b\"]", output.Replace(" ", "", StringComparison.Ordinal), StringComparison.Ordinal);
    }

    /// <summary>A broker with a stream of each kind.</summary>
    public sealed class Fixture : IAsyncLifetime
    {
        private readonly string _folder = ServerProcess.NewFolder();
        private NatsBroker _broker = null!;

        internal string NoJson => Path.Combine(_folder, "no.json");

        public async ValueTask InitializeAsync()
        {
            await File.WriteAllTextAsync(NoJson, "{\"name\":");
            _broker = await NatsBroker.StartAsync(new BrokerOptions
            {
                Port = BrokerOptions.RandomPort,
                JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = Path.Combine(_folder, "js") },
            });
            await using var client = await NatsClient.ConnectAsync(_broker.Url!);
            var streams = client.CreateJetStreamContext();
            var full = await streams.CreateStreamAsync(new StreamConfig { Name = "FULL", Subjects = ["full"] });
            await full.CreateConsumerAsync(new ConsumerConfig { DurableName = "C" });
            await streams.CreateStreamAsync(new StreamConfig { Name = "EMPTY", Subjects = ["empty"] });
            await client.RequestAsync<string, string>("full", "x");
            await (await client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = "B" })).PutAsync("a", "x");
            await client.CreateObjectStoreContext().CreateBucketAsync(new ObjectBucketConfig { Bucket = "O" });
        }

        public async ValueTask DisposeAsync()
        {
            await _broker.DisposeAsync();
            Directory.Delete(_folder, recursive: true);
        }

        internal async Task<(int Code, string Output, string Errors)> RunAsync(params string[] args)
        {
            using var verb = ServerProcess.Start("postrider", ServerProcess.NewFolder(), [.. args, "--server", _broker.Url!]);
            return (await verb.ExitAsync(), verb.Output, verb.Errors);
        }
    }
}
