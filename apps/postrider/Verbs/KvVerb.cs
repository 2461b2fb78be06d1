using System.CommandLine;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.CommandLine.Streams;
using Call = Postrider.CommandLine.Terminal.JetStreamVerb.Call;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider kv</c>.</summary>
internal static class KvVerb
{
    private const int MessageTimeToLiveDisabled = 10166;
    private static readonly byte[] LineEnd = "\n"u8.ToArray();

    internal static Command Create()
    {
        var keys = new Command("kv", "Manage key-value buckets.") { Add(), Edit(), Info(), Remove(), Get(), Put(), CreateKey(), Delete(), Purge(), Keys(), History(), Watch() };
        foreach (var verb in KvMoreVerbs.Create()) keys.Subcommands.Add(verb);
        return keys;
    }

    private static Argument<string> Bucket() => new("bucket") { Description = "The bucket" };

    private static Argument<string> Key() => new("key") { Description = "The key" };

    private static Argument<string?> Value() => new("value") { Description = "The value; read from standard input when omitted", Arity = ArgumentArity.ZeroOrOne };

    private static Task<KeyValueBucket> OpenAsync(Call call, Argument<string> bucket, CancellationToken ct)
        => JetStreamVerb.OpenBucketAsync(call.Get(bucket), name => call.Client.CreateKeyValueContext(call.Options).GetBucketAsync(name, ct));

    private static Task RevisionAsync(Call call, ulong revision) => call.WriteAsync($$"""{"revision":{{revision}}}""", $"Revision {revision}");

    // A time to live per key needs a bucket that was created for it.
    private static async Task PutAsync(Call call, Argument<string> bucket, Func<KeyValueBucket, Task<ulong>> put, CancellationToken ct)
    {
        var opened = await OpenAsync(call, bucket, ct);
        try
        {
            await RevisionAsync(call, await put(opened));
        }
        catch (JetStreamException error) when (error.ErrorCode == MessageTimeToLiveDisabled)
        {
            throw new NatsClientException(
                error.Code,
                $"Bucket '{opened.Name}' does not support a time to live per key. Enable it with 'postrider kv edit {opened.Name} --marker-ttl 1h', or create the bucket with --marker-ttl.",
                error);
        }
    }

    private static Task ShowAsync(Call call, KeyValueStatus status) => call.WriteAsync(ApiText.Write(status.Stream), JetStreamText.Readable(status));

    private static Task ShowAsync(Call call, KeyValueEntry<byte[]> entry) => call.WriteAsync(JetStreamText.Json(entry), JetStreamText.Readable(entry));

    private static Command Add()
    {
        var (bucket, flags) = (Bucket(), new KeyValueFlags());
        return JetStreamVerb.Create("add", """
            Create a bucket.
              postrider kv add settings --history 5 --ttl 7d --replicas 3
              postrider kv add locks --marker-ttl 1h
            """, RunAsync, [bucket, .. flags.All]);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var created = await call.Client.CreateKeyValueContext(call.Options).CreateBucketAsync(flags.Create(call.Get(bucket), call), ct);
            await ShowAsync(call, await created.GetStatusAsync(ct));
        }
    }

    private static Command Edit()
    {
        var (bucket, flags, force) = (Bucket(), new KeyValueFlags(), Confirmation.Force());
        return JetStreamVerb.RequireOneOf(JetStreamVerb.Create("edit", """
            Change the given settings and keep the others.
              postrider kv edit settings --history 10
            """, RunAsync, [bucket, .. flags.All, force]), flags.All);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var opened = await OpenAsync(call, bucket, ct);
            var before = (await opened.GetStatusAsync(ct)).Stream.Config;
            var after = flags.Apply(before, call);
            if (KeyValueFlags.Drops(before, after)) Confirmation.Require(call.Get(force), $"drop stored values of bucket {opened.Name}");
            await call.Streams.UpdateStreamAsync(after, ct);
            await ShowAsync(call, await opened.GetStatusAsync(ct));
        }
    }

    private static Command Info()
    {
        var bucket = Bucket();
        return JetStreamVerb.Create("info", """
            Show a bucket.
              postrider kv info settings
            """, RunAsync, bucket);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            await ShowAsync(call, await (await OpenAsync(call, bucket, ct)).GetStatusAsync(ct));
        }
    }

    private static Command Remove()
    {
        var bucket = Bucket();
        return JetStreamVerb.CreateConfirmed("rm", """
            Delete a bucket and its contents.
              postrider kv rm settings
            """, call => $"delete bucket {call.Get(bucket)} and its contents", RunAsync, bucket);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            await OpenAsync(call, bucket, ct);
            await call.Client.CreateKeyValueContext(call.Options).DeleteBucketAsync(call.Get(bucket), ct);
            await call.WriteAsync($$"""{"deleted":{{JsonText.Quote(call.Get(bucket))}}}""", $"Deleted {call.Get(bucket)}");
        }
    }

    private static Command Get()
    {
        var (bucket, key) = (Bucket(), Key());
        var revision = new Option<ulong?>("--revision") { Description = "The value at this revision" }.AtLeast(1);
        var raw = new Option<bool>("--raw") { Description = "Print only the value" };
        return JetStreamVerb.Create("get", """
            Show a key's value.
              postrider kv get settings colour --raw
            """, RunAsync, bucket, key, revision, raw);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var opened = await OpenAsync(call, bucket, ct);
            var entry = call.Get(revision) is { } old
                ? await opened.GetRevisionAsync<byte[]>(call.Get(key), old, ct: ct) ?? throw new NatsClientException(NatsErrorCode.NotFound, $"Key '{call.Get(key)}' has no revision {old}.")
                : await opened.GetAsync<byte[]>(call.Get(key), ct: ct);
            if (!call.Get(raw))
            {
                await ShowAsync(call, entry);
                return;
            }
            await using var output = StandardOutput.Open();
            await output.WriteAsync(entry.Value, ct);
            // On a terminal the prompt begins on a line of its own.
            if (!Console.IsOutputRedirected && entry.Value is not [.., (byte)'\n']) await output.WriteAsync(LineEnd, ct);
        }
    }

    private static Command Put()
    {
        var (bucket, key, value) = (Bucket(), Key(), Value());
        var time = JetStreamVerb.Time("--ttl", "Time to live of the key; the bucket needs --marker-ttl");
        var revision = new Option<ulong?>("--revision") { Description = "Only if the key has this revision" }.AtLeast(1);
        return JetStreamVerb.Create("put", """
            Put a value.
              postrider kv put settings colour green
              cat logo.svg | postrider kv put settings logo
            """, RunAsync, bucket, key, value, time, revision);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var bytes = await MessageText.PayloadAsync(call.Get(value), ct);
            await PutAsync(call, bucket, Put, ct);

            async Task<ulong> Put(KeyValueBucket opened) => call.Get(revision) is { } expected
                ? await opened.UpdateAsync(call.Get(key), bytes, expected, call.Get(time), ct: ct)
                : await opened.PutAsync(call.Get(key), bytes, call.Get(time), ct: ct);
        }
    }

    private static Command CreateKey()
    {
        var (bucket, key, value) = (Bucket(), Key(), Value());
        var time = JetStreamVerb.Time("--ttl", "Time to live of the key; the bucket needs --marker-ttl");
        return JetStreamVerb.Create("create", """
            Put a value if the key has none. A time to live needs a bucket with --marker-ttl.
              postrider kv create locks nightly "$HOSTNAME" --ttl 10m
            """, RunAsync, bucket, key, value, time);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var bytes = await MessageText.PayloadAsync(call.Get(value), ct);
            await PutAsync(call, bucket, opened => opened.CreateAsync(call.Get(key), bytes, call.Get(time), ct: ct), ct);
        }
    }

    private static Command Delete()
    {
        var (bucket, key) = (Bucket(), Key());
        return JetStreamVerb.Create("del", """
            Delete a key; its history stays.
              postrider kv del settings colour
            """, async (call, ct) => await RevisionAsync(call, await (await OpenAsync(call, bucket, ct)).DeleteAsync(call.Get(key), ct: ct)), bucket, key);
    }

    private static Command Purge()
    {
        var (bucket, key) = (Bucket(), Key());
        return JetStreamVerb.CreateConfirmed("purge", """
            Delete a key with its history.
              postrider kv purge settings colour
            """, call => $"purge key {call.Get(key)} of bucket {call.Get(bucket)} with its history", async (call, ct) => await RevisionAsync(call, await (await OpenAsync(call, bucket, ct)).PurgeAsync(call.Get(key), ct: ct)), bucket, key);
    }

    private static Command Keys()
    {
        var bucket = Bucket();
        var filters = new Argument<string[]>("filter") { Description = "The keys; * and > are wildcards", Arity = ArgumentArity.ZeroOrMore };
        return JetStreamVerb.Create("keys", """
            List the keys that have values.
              postrider kv keys settings 'shop.*'
            """, RunAsync, bucket, filters);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            await foreach (var key in (await OpenAsync(call, bucket, ct)).GetKeysAsync(call.Get(filters), ct))
                await call.WriteAsync(JsonText.Quote(key), key);
        }
    }

    private static Command History()
    {
        var (bucket, key) = (Bucket(), Key());
        return JetStreamVerb.Create("history", """
            Show the history of a key.
              postrider kv history settings colour
            """, RunAsync, bucket, key);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var opened = await OpenAsync(call, bucket, ct);
            var history = await opened.GetHistoryAsync<byte[]>(call.Get(key), ct: ct).ToListAsync(ct);
            if (history.Count == 0) throw new NatsClientException(NatsErrorCode.NotFound, $"Key '{call.Get(key)}' does not exist in bucket '{opened.Name}'.");
            await call.WriteAllAsync(history.ToAsyncEnumerable(), JetStreamText.Json, JetStreamText.EntryTable(), JetStreamText.AddTo);
        }
    }

    private static Command Watch()
    {
        var bucket = Bucket();
        var filters = new Argument<string[]>("filter") { Description = "The keys; * and > are wildcards", Arity = ArgumentArity.ZeroOrMore };
        var updates = new Option<bool>("--updates-only") { Description = "Show only new changes" };
        var from = new Option<ulong>("--revision") { Description = "Start with the changes from this revision on" }.AtLeast(1);
        var history = new Option<bool>("--history") { Description = "Show older values of each key first" };
        var count = new Option<int>("--count", "-c") { Description = "Stop after this many changes" }.AtLeast(1);
        return JetStreamVerb.CreateEndless("watch", """
            Show the current values and every change until Ctrl+C.
              postrider kv watch settings 'shop.>' --json
            """, RunAsync, bucket, filters, updates, from, history, count);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var left = call.Get(count);
            var options = new KeyValueWatchOptions { UpdatesOnly = call.Get(updates), FromRevision = call.Get(from), IncludeHistory = call.Get(history), InitialValuesDone = () => Console.Error.WriteLine($"Watching {call.Get(bucket)}") };
            await foreach (var entry in (await OpenAsync(call, bucket, ct)).WatchAsync<byte[]>(call.Get(filters), options, ct: ct))
            {
                await ShowAsync(call, entry);
                if (--left == 0) return;
            }
        }
    }
}
