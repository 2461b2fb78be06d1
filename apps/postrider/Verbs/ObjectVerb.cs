using System.CommandLine;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.ObjectStore;
using Call = Postrider.CommandLine.Terminal.JetStreamVerb.Call;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider object</c>.</summary>
internal static class ObjectVerb
{
    internal static Command Create() => new("object", "Manage object store buckets.")
    {
        Add(), Edit(), Info(), List(), Remove(), Get(), Put(), Watch(), Seal(), Tidy(),
    };

    private static Argument<string> Bucket() => new("bucket") { Description = "The bucket" };

    private static Argument<string> Name() => new("name") { Description = "The object" };

    private static Argument<string?> MaybeName(string description) => new("name") { Description = description, Arity = ArgumentArity.ZeroOrOne };

    private static Task<ObjectBucket> OpenAsync(Call call, Argument<string> bucket, CancellationToken ct) => OpenAsync(call, call.Get(bucket), ct);

    private static Task<ObjectBucket> OpenAsync(Call call, string bucket, CancellationToken ct)
        => JetStreamVerb.OpenBucketAsync(bucket, name => call.Client.CreateObjectStoreContext(call.Options).GetBucketAsync(name, ct));

    private static Task ShowAsync(Call call, ObjectInfo info) => call.WriteAsync(JetStreamText.Json(info), JetStreamText.Readable(info));

    private static Task ShowDetailsAsync(Call call, ObjectInfo info) => call.WriteAsync(JetStreamText.Json(info), JetStreamText.Details(info));

    private static Task ShowAsync(Call call, ObjectBucketStatus status)
        => call.WriteAsync(ApiText.Write(status.Stream), JetStreamText.Readable(status));

    private static Command Add()
    {
        var bucket = Bucket();
        var text = new Option<string?>("--description") { Description = "Description" };
        var time = JetStreamVerb.Time("--ttl", "How long an object is kept");
        var storage = new Option<StreamStorage?>("--storage") { Description = "file or memory" }.OneOf();
        var replicas = new Option<int>("--replicas") { Description = "Number of replicas in a cluster", DefaultValueFactory = _ => 1 }.AtLeast(1);
        var maxBytes = ByteSize.Create("--max-bytes", "Maximum number of bytes; -1 for no limit");
        var compress = new Option<bool>("--compress") { Description = "Compress the files" };
        return JetStreamVerb.Create("add", """
            Create a bucket.
              postrider object add photos --replicas 3 --max-bytes 10GB
            """, RunAsync, bucket, text, time, storage, replicas, maxBytes, compress);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var config = new ObjectBucketConfig
            {
                Bucket = call.Get(bucket),
                Description = call.Get(text),
                TimeToLive = call.Get(time) ?? TimeSpan.Zero,
                Storage = call.Get(storage) ?? StreamStorage.File,
                Replicas = call.Get(replicas),
                MaxBytes = call.Get(maxBytes) ?? -1,
                Compression = call.Get(compress),
            };
            await ShowAsync(call, await (await call.Client.CreateObjectStoreContext(call.Options).CreateBucketAsync(config, ct)).GetStatusAsync(ct));
        }
    }

    private static Command Edit()
    {
        var (bucket, name) = (Bucket(), Name());
        var rename = new Option<string?>("--rename") { Description = "The new name" };
        var text = new Option<string?>("--description") { Description = "Description" };
        return JetStreamVerb.RequireOneOf(JetStreamVerb.Create("edit", """
            Change the name or description of an object.
              postrider object edit photos cat.jpg --rename animals/cat.jpg
            """, RunAsync, bucket, name, rename, text), [rename, text]);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var opened = await OpenAsync(call, bucket, ct);
            var info = await opened.GetInfoAsync(call.Get(name), ct);
            var meta = new ObjectMeta { Name = call.Get(rename) ?? info.Name, Description = call.Get(text) ?? info.Description, Headers = info.Headers, Metadata = info.Metadata };
            await ShowAsync(call, await opened.UpdateMetaAsync(info.Name, meta, ct));
        }
    }

    private static Command Info()
    {
        var (bucket, name) = (Bucket(), MaybeName("The object; without it, the bucket"));
        return JetStreamVerb.Create("info", """
            Show an object or a bucket.
              postrider object info photos cat.jpg --json
            """, RunAsync, bucket, name);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var opened = await OpenAsync(call, bucket, ct);
            if (call.Get(name) is { } one)
                await ShowDetailsAsync(call, await opened.GetInfoAsync(one, ct));
            else
                await ShowAsync(call, await opened.GetStatusAsync(ct));
        }
    }

    private static Command List()
    {
        var bucket = new Argument<string?>("bucket") { Description = "The bucket; lists the buckets when omitted", Arity = ArgumentArity.ZeroOrOne };
        return JetStreamVerb.Create("ls", """
            List a bucket's objects, or the buckets.
              postrider object ls photos
            """, RunAsync, bucket);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var store = call.Client.CreateObjectStoreContext(call.Options);
            if (call.Get(bucket) is { } one)
            {
                var opened = await OpenAsync(call, one, ct);
                await call.WriteAllAsync(opened.ListAsync(ct: ct), JetStreamText.Json, new TextTable("Name", " Size", "Modified"), JetStreamText.AddTo);
                return;
            }
            await call.WriteAllAsync(
                store.ListBucketsAsync(ct),
                static status => ApiText.Write(status.Stream),
                new TextTable("Bucket", " Size", "Storage", "Sealed"),
                static (table, status) => table.Add(
                    status.Bucket, ByteSize.Text((long)status.Bytes), status.Stream.Config.Storage.ToString(), status.IsSealed ? "yes" : "no"));
        }
    }

    private static Command Remove()
    {
        var (bucket, name) = (Bucket(), MaybeName("The object; the whole bucket when omitted"));
        return JetStreamVerb.CreateConfirmed("rm", """
            Delete an object, or a bucket and its contents.
              postrider object rm photos cat.jpg
            """, call => call.Get(name) is null ? $"delete bucket {call.Get(bucket)} and its contents" : null, RunAsync, bucket, name);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var opened = await OpenAsync(call, bucket, ct);
            if (call.Get(name) is { } one)
                await opened.DeleteAsync(one, ct);
            else
                await call.Client.CreateObjectStoreContext(call.Options).DeleteBucketAsync(call.Get(bucket), ct);
            var deleted = call.Get(name) ?? call.Get(bucket);
            await call.WriteAsync($$"""{"deleted":{{JsonText.Quote(deleted)}}}""", $"Deleted {deleted}");
        }
    }

    private static Command Get()
    {
        var (bucket, name) = (Bucket(), Name());
        var output = new Option<FileInfo?>("--output", "-O") { Description = "The file to write; standard output when omitted" };
        return JetStreamVerb.Create("get", """
            Write the bytes of an object and verify its digest.
              postrider object get photos cat.jpg --output cat.jpg
            """, RunAsync, bucket, name, output);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var opened = await OpenAsync(call, bucket, ct);
            if (call.Get(output) is not { } file)
            {
                await using var standard = StandardOutput.Open();
                await opened.GetAsync(call.Get(name), standard, ct);
                return;
            }
            var size = TransferBar.IsShown ? (await opened.GetInfoAsync(call.Get(name), ct)).Size : 0;
            await ShowAsync(call, await WholeFile.WriteAsync(
                file.FullName, target => TransferBar.RunAsync($"Getting {call.Get(name)}", size, bar => opened.GetAsync(call.Get(name), bar.Counts(target), ct))));
        }
    }

    private static Command Put()
    {
        var bucket = Bucket();
        var file = new Argument<FileInfo?>("file") { Description = "The file; read from standard input when omitted", Arity = ArgumentArity.ZeroOrOne };
        var name = new Option<string?>("--name") { Description = "The object's name; the file name when omitted" };
        var text = new Option<string?>("--description") { Description = "Description" };
        var verb = JetStreamVerb.Create("put", """
            Put a file into a bucket.
              postrider object put photos cat.jpg
              tar c docs | postrider object put backups --name docs.tar
            """, RunAsync, bucket, file, name, text);
        verb.Validators.Add(result =>
        {
            if (result.GetResult(file) is not { Tokens.Count: > 0 } && !JetStreamVerb.IsGiven(result, name)) result.AddError("An object from standard input has no name: use --name.");
        });
        return verb;

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var source = call.Get(file);
            var meta = new ObjectMeta { Name = call.Get(name) ?? source?.Name ?? "", Description = call.Get(text) };
            await using var bytes = source is null ? Console.OpenStandardInput() : source.OpenRead();
            var opened = await OpenAsync(call, bucket, ct);
            await ShowAsync(call, await TransferBar.RunAsync($"Putting {meta.Name}", source?.Length ?? 0, bar => opened.PutAsync(meta, bar.Counts(bytes), ct)));
        }
    }

    private static Command Watch()
    {
        var bucket = Bucket();
        var count = new Option<int>("--count", "-c") { Description = "Stop after this many changes" }.AtLeast(1);
        return JetStreamVerb.CreateEndless("watch", """
            Show a bucket's objects and every change until Ctrl+C.
              postrider object watch photos
            """, RunAsync, bucket, count);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var left = call.Get(count);
            var options = new ObjectWatchOptions { InitialValuesDone = () => Console.Error.WriteLine($"Watching {call.Get(bucket)}") };
            await foreach (var info in (await OpenAsync(call, bucket, ct)).WatchAsync(options, ct))
            {
                await ShowAsync(call, info);
                if (--left == 0) return;
            }
        }
    }

    private static Command Seal()
    {
        var bucket = Bucket();
        return JetStreamVerb.CreateConfirmed("seal", """
            Make a bucket read-only. This cannot be undone.
              postrider object seal photos
            """, call => $"seal bucket {call.Get(bucket)} permanently", RunAsync, bucket);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var opened = await OpenAsync(call, bucket, ct);
            await opened.SealAsync(ct);
            await ShowAsync(call, await opened.GetStatusAsync(ct));
        }
    }

    private static Command Tidy()
    {
        var bucket = Bucket();
        var age = JetStreamVerb.Time("--older-than", "Minimum age of the chunks to remove: younger ones may belong to a put that is still running (1h)");
        return JetStreamVerb.Create("tidy", """
            Remove leftover chunks of interrupted puts.
              postrider object tidy photos --older-than 24h
            """, RunAsync, bucket, age);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var count = await (await OpenAsync(call, bucket, ct)).PurgeOrphanedChunksAsync(call.Get(age), ct);
            await call.WriteAsync($$"""{"purged":{{count}}}""", $"Removed leftover chunks of {Quantity.Of(count, "object")}");
        }
    }
}
