using System.CommandLine;
using Postrider.Client.Errors;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Call = Postrider.CommandLine.Verbs.JetStreamVerb.Call;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider kv</c>.</summary>
internal static class KvVerb
{
    internal static Command Create() => new("kv", "Buckets of keys and values.")
    {
        Add(), Edit(), Info(), List(), Remove(), Get(), Put(), CreateKey(), Delete(), Purge(), Keys(), History(), Watch(),
    };

    private static Argument<string> Bucket() => new("bucket") { Description = "The bucket" };

    private static Argument<string> Key() => new("key") { Description = "The key" };

    private static Argument<string?> Value() => new("value") { Description = "The value; without it, what is piped in", Arity = ArgumentArity.ZeroOrOne };

    private static Task<KeyValueBucket> OpenAsync(Call call, Argument<string> bucket, CancellationToken ct)
        => JetStreamVerb.OpenBucketAsync(call.Get(bucket), name => call.Client.KeyValue(call.Options).GetBucketAsync(name, ct));

    private static Task RevisionAsync(Call call, ulong revision) => call.WriteAsync($$"""{"revision":{{revision}}}""", $"Revision {revision}");

    private static Task ShowAsync(Call call, KeyValueEntry<byte[]> entry) => call.WriteAsync(JetStreamText.Json(entry), JetStreamText.Readable(entry));

    private static Command Add() => AddOrEdit("add", """
        Create a bucket.
          postrider kv add settings --history 5 --ttl 24h --replicas 3
        """, static (store, config, ct) => store.CreateBucketAsync(config, ct));

    private static Command Edit() => AddOrEdit("edit", """
        Give a bucket another configuration: what is not said takes its default.
          postrider kv edit settings --history 10
        """, static (store, config, ct) => store.UpdateBucketAsync(config, ct));

    private static Command AddOrEdit(string verb, string description, Func<KeyValueContext, KeyValueConfig, CancellationToken, Task<KeyValueBucket>> run)
    {
        var bucket = Bucket();
        var text = new Option<string?>("--description") { Description = "What it is for" };
        var history = new Option<int>("--history") { Description = "How many values of a key are kept, 1 to 64", DefaultValueFactory = _ => 1 }.AtLeast(1);
        var time = JetStreamVerb.Time("--ttl", "How long a value is kept");
        var marker = JetStreamVerb.Time("--marker-ttl", "How long markers of ended keys stay; lets keys have their own time");
        var storage = new Option<StreamStorage?>("--storage") { Description = "file or memory" }.OneOf();
        var replicas = new Option<int>("--replicas") { Description = "On how many servers of a cluster it lives", DefaultValueFactory = _ => 1 }.AtLeast(1);
        var maxBytes = new Option<long>("--max-bytes") { Description = "The most bytes; -1 for no limit", DefaultValueFactory = _ => -1 }.AtLeast(-1);
        var compress = new Option<bool>("--compress") { Description = "Compress its files" };
        return JetStreamVerb.Create(verb, description, RunAsync, bucket, text, history, time, marker, storage, replicas, maxBytes, compress);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var config = new KeyValueConfig
            {
                Bucket = call.Get(bucket),
                Description = call.Get(text),
                History = call.Get(history),
                TimeToLive = call.Get(time) ?? TimeSpan.Zero,
                LimitMarkerTimeToLive = call.Get(marker) ?? TimeSpan.Zero,
                Storage = call.Get(storage) ?? StreamStorage.File,
                Replicas = call.Get(replicas),
                MaxBytes = call.Get(maxBytes),
                Compression = call.Get(compress),
            };
            var status = await (await run(call.Client.KeyValue(call.Options), config, ct)).GetStatusAsync(ct);
            await call.WriteAsync(ApiText.Write(status.Stream), JetStreamText.Readable(status));
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
            var status = await (await OpenAsync(call, bucket, ct)).GetStatusAsync(ct);
            await call.WriteAsync(ApiText.Write(status.Stream), JetStreamText.Readable(status));
        }
    }

    private static Command List() => JetStreamVerb.Create("ls", """
        List the buckets.
          postrider kv ls
        """, static async (call, ct) =>
        {
            await foreach (var status in call.Client.KeyValue(call.Options).ListBucketsAsync(ct))
                await call.WriteAsync(ApiText.Write(status.Stream), $"{status.Bucket,-24} {status.Values,10} values {status.Bytes,14} bytes");
        });

    private static Command Remove()
    {
        var bucket = Bucket();
        return JetStreamVerb.Create("rm", """
            Delete a bucket with everything in it.
              postrider kv rm settings
            """, RunAsync, bucket);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            await call.Client.KeyValue(call.Options).DeleteBucketAsync(call.Get(bucket), ct);
            await call.WriteAsync($$"""{"deleted":{{JsonText.Quote(call.Get(bucket))}}}""", $"Deleted {call.Get(bucket)}");
        }
    }

    private static Command Get()
    {
        var (bucket, key) = (Bucket(), Key());
        var revision = new Option<ulong?>("--revision") { Description = "What it was at this revision" }.AtLeast(1);
        var raw = new Option<bool>("--raw") { Description = "Write the value only" };
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
            await using var output = Console.OpenStandardOutput();
            await output.WriteAsync(entry.Value, ct);
        }
    }

    private static Command Put()
    {
        var (bucket, key, value) = (Bucket(), Key(), Value());
        var time = JetStreamVerb.Time("--ttl", "How long it is kept");
        var revision = new Option<ulong?>("--revision") { Description = "Only if the key has this revision" }.AtLeast(1);
        return JetStreamVerb.Create("put", """
            Put a value.
              postrider kv put settings colour green
              cat logo.svg | postrider kv put settings logo
            """, RunAsync, bucket, key, value, time, revision);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var bytes = await MessageText.PayloadAsync(call.Get(value), ct);
            var opened = await OpenAsync(call, bucket, ct);
            await RevisionAsync(call, call.Get(revision) is { } expected
                ? await opened.UpdateAsync(call.Get(key), bytes, expected, call.Get(time), ct: ct)
                : await opened.PutAsync(call.Get(key), bytes, call.Get(time), ct: ct));
        }
    }

    private static Command CreateKey()
    {
        var (bucket, key, value) = (Bucket(), Key(), Value());
        var time = JetStreamVerb.Time("--ttl", "How long it is kept");
        return JetStreamVerb.Create("create", """
            Put a value if the key has none.
              postrider kv create locks nightly "$HOSTNAME" --ttl 10m
            """, RunAsync, bucket, key, value, time);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var bytes = await MessageText.PayloadAsync(call.Get(value), ct);
            await RevisionAsync(call, await (await OpenAsync(call, bucket, ct)).CreateAsync(call.Get(key), bytes, call.Get(time), ct: ct));
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
        return JetStreamVerb.Create("purge", """
            Delete a key with its history.
              postrider kv purge settings colour
            """, async (call, ct) => await RevisionAsync(call, await (await OpenAsync(call, bucket, ct)).PurgeAsync(call.Get(key), ct: ct)), bucket, key);
    }

    private static Command Keys()
    {
        var bucket = Bucket();
        var filters = new Argument<string[]>("filter") { Description = "Which keys; * and > are wildcards", Arity = ArgumentArity.ZeroOrMore };
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
            Show everything that is kept of a key.
              postrider kv history settings colour
            """, RunAsync, bucket, key);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            await foreach (var entry in (await OpenAsync(call, bucket, ct)).GetHistoryAsync<byte[]>(call.Get(key), ct: ct)) await ShowAsync(call, entry);
        }
    }

    private static Command Watch()
    {
        var bucket = Bucket();
        var filters = new Argument<string[]>("filter") { Description = "Which keys; * and > are wildcards", Arity = ArgumentArity.ZeroOrMore };
        var updates = new Option<bool>("--updates-only") { Description = "Begin with what comes next" };
        var count = new Option<int>("--count", "-c") { Description = "End after so many changes" }.AtLeast(1);
        return JetStreamVerb.Create("watch", """
            Show what keys are and every change until Ctrl+C.
              postrider kv watch settings 'shop.>' --json
            """, RunAsync, bucket, filters, updates, count);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var left = call.Get(count);
            var options = new KeyValueWatchOptions { UpdatesOnly = call.Get(updates), InitialValuesDone = () => Console.Error.WriteLine($"Watching {call.Get(bucket)}") };
            await foreach (var entry in (await OpenAsync(call, bucket, ct)).WatchAsync<byte[]>(call.Get(filters), options, ct: ct))
            {
                await ShowAsync(call, entry);
                if (--left == 0) return;
            }
        }
    }
}
