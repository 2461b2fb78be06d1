using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Client.JetStream;

/// <summary>The verbs for streams, consumers, keys and objects: the same against Go's server and ours.</summary>
public abstract class CommandLineTests(ServerKind kind) : IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-js-").FullName;
    private ServerProcess _server = null!;

    public async ValueTask InitializeAsync() => _server = await ServerProcess.StartAsync(kind, "-js", "-sd", Path.Combine(_folder, "js"));

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task Stream_is_made_filled_shown_saved_and_restored()
    {
        await RunAsync("stream", "add", "ORDERS", "--subjects", "orders.>,more", "--max-age", "24h", "--json");
        await RunAsync("pub", "orders.new", "hello", "--count", "3");
        var info = await JsonAsync("stream", "info", "ORDERS", "--subjects");
        var second = await JsonAsync("stream", "get", "ORDERS", "2");
        var view = await RunAsync("stream", "view", "ORDERS", "--from", "2", "--json");
        var edited = await JsonAsync("stream", "edit", "ORDERS", "--max-msgs", "10");
        await RunAsync("stream", "backup", "ORDERS", Path.Combine(_folder, "backup"));
        await RunAsync("stream", "rm", "ORDERS", "--force");
        var none = await RunAsync("stream", "ls");
        var restored = await JsonAsync("stream", "restore", Path.Combine(_folder, "backup"));
        var purged = await JsonAsync("stream", "purge", "ORDERS", "--keep", "1", "--force");

        Assert.Equal(86_400_000_000_000, info.GetProperty("config").GetProperty("max_age").GetInt64());
        Assert.Equal(3, info.GetProperty("state").GetProperty("subjects").GetProperty("orders.new").GetInt32());
        Assert.Equal(("orders.new", 2, "hello"), (second.GetProperty("subject").GetString(), second.GetProperty("seq").GetInt32(), second.GetProperty("data").GetString()));
        Assert.Equal(2, view.Split('\n').Length);
        Assert.Equal((10, 86_400_000_000_000), (edited.GetProperty("config").GetProperty("max_msgs").GetInt32(), edited.GetProperty("config").GetProperty("max_age").GetInt64()));
        Assert.Equal("", none);
        Assert.Equal(3, restored.GetProperty("state").GetProperty("messages").GetInt32());
        Assert.Equal(2, purged.GetProperty("purged").GetInt32());
    }

    [Fact]
    public async Task Consumer_is_made_read_from_paused_and_deleted()
    {
        await RunAsync("stream", "add", "JOBS", "--subjects", "jobs", "--storage", "memory");
        await RunAsync("pub", "jobs", "x", "--count", "5");
        await RunAsync("consumer", "add", "JOBS", "work", "--ack-wait", "10s");
        var next = await RunAsync("consumer", "next", "JOBS", "work", "--count", "2", "--json");
        var info = await JsonAsync("consumer", "info", "JOBS", "work");
        var edited = await JsonAsync("consumer", "edit", "JOBS", "work", "--max-deliver", "7");
        var paused = await JsonAsync("consumer", "pause", "JOBS", "work", "--for", "1h");
        await RunAsync("consumer", "resume", "JOBS", "work");
        var list = await RunAsync("consumer", "ls", "JOBS");
        await RunAsync("consumer", "rm", "JOBS", "work", "-f");

        Assert.Equal([1, 2], next.Split('\n').Select(line => JsonDocument.Parse(line).RootElement.GetProperty("seq").GetInt32()));
        Assert.Equal((2, 3), (info.GetProperty("ack_floor").GetProperty("stream_seq").GetInt32(), info.GetProperty("num_pending").GetInt32()));
        Assert.Equal(7, edited.GetProperty("config").GetProperty("max_deliver").GetInt32());
        Assert.InRange(paused.GetProperty("pause_remaining_ms").GetInt64(), 3_500_000, 3_600_000);
        Assert.Equal(["Name", "work"], list.Split('\n').Select(line => line.Split(' ')[0]));
        Assert.Equal("", await RunAsync("consumer", "ls", "JOBS"));
    }

    [Fact]
    public async Task Keys_are_put_got_and_watched()
    {
        await RunAsync("kv", "add", "settings", "--history", "3");
        await RunAsync("kv", "put", "settings", "colour", "red");
        var second = await JsonAsync("kv", "put", "settings", "colour", "green");
        var value = await RunAsync("kv", "get", "settings", "colour", "--raw");
        var old = await RunAsync("kv", "get", "settings", "colour", "--revision", "1", "--raw");
        var taken = await Assert.ThrowsAsync<InvalidOperationException>(() => RunAsync("kv", "create", "settings", "colour", "blue"));
        var watched = await JsonAsync("kv", "watch", "settings", "--count", "1");
        await RunAsync("kv", "del", "settings", "colour");
        var history = await RunAsync("kv", "history", "settings", "colour", "--json");

        Assert.Equal(2, second.GetProperty("revision").GetInt32());
        Assert.Equal(("green", "red"), (value, old));
        Assert.Contains("Key 'colour' already exists in bucket 'settings'.", taken.Message, StringComparison.Ordinal);
        Assert.Equal(("PUT", "green"), (watched.GetProperty("operation").GetString(), watched.GetProperty("data").GetString()));
        Assert.Equal(["PUT", "PUT", "DELETE"], history.Split('\n').Select(line => JsonDocument.Parse(line).RootElement.GetProperty("operation").GetString()));
        Assert.Equal("", await RunAsync("kv", "keys", "settings"));
    }

    [Fact]
    public async Task Objects_are_put_got_and_listed()
    {
        var (source, target) = (Path.Combine(_folder, "source"), Path.Combine(_folder, "target"));
        var bytes = new byte[300_000];
        new Random(5).NextBytes(bytes);
        await File.WriteAllBytesAsync(source, bytes);

        await RunAsync("object", "add", "files", "--storage", "memory");
        var put = await JsonAsync("object", "put", "files", source, "--name", "a/b");
        await RunAsync("object", "edit", "files", "a/b", "--rename", "c");
        await RunAsync("object", "get", "files", "c", "--output", target);
        var list = await JsonAsync("object", "ls", "files");
        await RunAsync("object", "rm", "files", "c");

        Assert.Equal(3, put.GetProperty("chunks").GetInt32());
        Assert.Equal(bytes, await File.ReadAllBytesAsync(target));
        Assert.Equal(("c", 300_000), (list.GetProperty("name").GetString(), list.GetProperty("size").GetInt32()));
        Assert.Equal("", await RunAsync("object", "ls", "files"));
    }

    [Fact]
    public async Task Bucket_of_keys_is_changed_listed_purged_and_removed()
    {
        await RunAsync("kv", "add", "settings", "--history", "3");
        await RunAsync("kv", "put", "settings", "colour", "red");
        await RunAsync("kv", "put", "settings", "size", "9");
        var edited = await JsonAsync("kv", "edit", "settings", "--history", "5");
        var info = await JsonAsync("kv", "info", "settings");
        var listed = await RunAsync("kv", "ls");
        await RunAsync("kv", "purge", "settings", "colour", "--force");
        var history = await RunAsync("kv", "history", "settings", "colour", "--json");
        var keys = await RunAsync("kv", "keys", "settings");
        await RunAsync("kv", "rm", "settings", "--force");

        Assert.Equal(5, edited.GetProperty("config").GetProperty("max_msgs_per_subject").GetInt32());
        Assert.Equal(2, info.GetProperty("state").GetProperty("messages").GetInt32());
        Assert.Matches("^Bucket +Values +Size +History +TTL\nsettings +2 +[0-9]+ B +5 +unlimited$", listed);
        Assert.Equal("PURGE", JsonDocument.Parse(history).RootElement.GetProperty("operation").GetString());
        Assert.Equal("size", keys);
        Assert.Equal("", await RunAsync("kv", "ls"));
    }

    [Fact]
    public async Task Editing_a_bucket_changes_what_is_given_and_leaves_the_rest()
    {
        await RunAsync("kv", "add", "t1", "--history", "5", "--ttl", "1d", "--max-bytes", "10MB", "--description", "old");
        foreach (var value in (string[])["v1", "v2", "v3"])
            await RunAsync("kv", "put", "t1", "k", value);

        var edited = await JsonAsync("kv", "edit", "t1", "--description", "new");
        var shorter = await Assert.ThrowsAsync<InvalidOperationException>(() => RunAsync("kv", "edit", "t1", "--history", "2"));
        var history = await RunAsync("kv", "history", "t1", "k", "--json");
        var forced = await JsonAsync("kv", "edit", "t1", "--history", "2", "--force");
        await RunAsync("kv", "edit", "t1", "--marker-ttl", "1h");
        await RunAsync("kv", "create", "t1", "own", "x", "--ttl", "10m");

        var config = edited.GetProperty("config");
        Assert.Equal(("new", 5, 86_400_000_000_000, 10 << 20), (config.GetProperty("description").GetString(), config.GetProperty("max_msgs_per_subject").GetInt32(), config.GetProperty("max_age").GetInt64(), config.GetProperty("max_bytes").GetInt32()));
        Assert.Contains("use --force to drop stored values of bucket t1", shorter.Message, StringComparison.Ordinal);
        Assert.Equal(3, history.Split('\n').Length);
        Assert.Equal(2, forced.GetProperty("state").GetProperty("messages").GetInt32());
    }

    [Fact]
    public async Task Objects_are_watched_and_sealed()
    {
        var source = Path.Combine(_folder, "source");
        await File.WriteAllBytesAsync(source, new byte[1000]);

        await RunAsync("object", "add", "files");
        await RunAsync("object", "put", "files", source, "--name", "a");
        var watched = await JsonAsync("object", "watch", "files", "--count", "1");
        var one = await JsonAsync("object", "info", "files", "a");
        Assert.Contains("Removed leftover chunks of 0 objects", await RunAsync("object", "tidy", "files"), StringComparison.Ordinal);
        await RunAsync("object", "seal", "files", "--force");
        var refused = await Assert.ThrowsAsync<InvalidOperationException>(() => RunAsync("object", "put", "files", source, "--name", "b"));
        var bucket = await JsonAsync("object", "info", "files");

        Assert.Equal(("a", 1000), (watched.GetProperty("name").GetString(), watched.GetProperty("size").GetInt32()));
        Assert.Equal(watched.GetProperty("digest").GetString(), one.GetProperty("digest").GetString());
        Assert.True(bucket.GetProperty("config").GetProperty("sealed").GetBoolean());
        Assert.Contains("sealed", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("pub", "memory")]
    [InlineData("pub-async", "file")]
    [InlineData("fetch", "memory")]
    [InlineData("consume", "file")]
    [InlineData("ordered", "memory")]
    public async Task Benchmark_counts_every_message_and_leaves_no_stream(string name, string storage)
    {
        var result = await JsonAsync("bench", "js", name, "-n", "2000", "--storage", storage);

        Assert.Equal((2000, 2000), (result.GetProperty("messages").GetInt32(), result.GetProperty("expected").GetInt32()));
        Assert.True(result.GetProperty("messages_per_second").GetDouble() > 0);
        Assert.Equal("", await RunAsync("stream", "ls"));
    }

    private Task<string> RunAsync(params IEnumerable<string> arguments) => ForeignProgram.RunAsync(Tools.Postrider, [.. arguments, "--server", _server.Url]);

    private async Task<JsonElement> JsonAsync(params IEnumerable<string> arguments) => JsonDocument.Parse(await RunAsync([.. arguments, "--json"])).RootElement;
}
