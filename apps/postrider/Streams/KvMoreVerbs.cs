using System.CommandLine;
using Postrider.Client;
using Postrider.Client.KeyValue;
using Call = Postrider.CommandLine.Terminal.JetStreamVerb.Call;

namespace Postrider.CommandLine.Streams;

/// <summary>The rarer verbs of <c>postrider kv</c>: <c>ls</c> of buckets or keys, <c>revert</c> and <c>compact</c>.</summary>
internal static class KvMoreVerbs
{
    internal static IEnumerable<Command> Create() => [List(), Revert(), Compact()];

    private static Task<KeyValueBucket> OpenAsync(Call call, string bucket, CancellationToken ct)
        => JetStreamVerb.OpenBucketAsync(bucket, name => call.Client.CreateKeyValueContext(call.Options).GetBucketAsync(name, ct));

    private static Command List()
    {
        var bucket = new Argument<string?>("bucket") { Description = "List this bucket's keys instead", Arity = ArgumentArity.ZeroOrOne };
        var filters = new Argument<string[]>("filter") { Description = "The keys; * and > are wildcards", Arity = ArgumentArity.ZeroOrMore };
        var values = new Option<bool>("--values", "-v") { Description = "With the keys' values" };
        return JetStreamVerb.Create("ls", """
            List the buckets, or the keys of one.
              postrider kv ls
              postrider kv ls settings 'shop.>' --values
            """, RunAsync, bucket, filters, values);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            if (call.Get(bucket) is not { } one)
            {
                await call.WriteAllAsync(
                    call.Client.CreateKeyValueContext(call.Options).ListBucketsAsync(ct),
                    static status => Postrider.Client.JetStream.ApiText.Write(status.Stream),
                    new TextTable("Bucket", " Values", " Size", " History", "TTL"),
                    static (table, status) => table.Add(
                        status.Bucket, Quantity.Text(status.Values), ByteSize.Text((long)status.Bytes), Quantity.Text(status.History), JetStreamText.TimeToLive(status)));
                return;
            }
            var opened = await OpenAsync(call, one, ct);
            if (call.Get(values))
                await call.WriteAllAsync(EntriesAsync(opened, call.Get(filters), ct), JetStreamText.Json, JetStreamText.EntryTable(), JetStreamText.AddTo);
            else
                await foreach (var key in opened.GetKeysAsync(call.Get(filters), ct)) await call.WriteAsync(JsonText.Quote(key), key);
        }
    }

    // A snapshot of the keys: a key that is deleted meanwhile is left out.
    private static async IAsyncEnumerable<KeyValueEntry<byte[]>> EntriesAsync(KeyValueBucket bucket, string[] filters, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct)
    {
        foreach (var key in await bucket.GetKeysAsync(filters, ct).Order(StringComparer.Ordinal).ToListAsync(ct))
            if (await bucket.TryGetAsync<byte[]>(key, ct: ct) is { Operation: KeyValueOperation.Put } entry) yield return entry;
    }

    private static Command Revert()
    {
        var (bucket, key) = (new Argument<string>("bucket") { Description = "The bucket" }, new Argument<string>("key") { Description = "The key" });
        var revision = new Argument<ulong>("revision") { Description = "The revision whose value to put again" }.AtLeast(1);
        return JetStreamVerb.CreateConfirmed("revert", """
            Restore an older value of a key, as a new revision.
              postrider kv revert settings colour 3
            """, call => $"put the value of revision {call.Get(revision)} of key {call.Get(key)} again", RunAsync, bucket, key, revision);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var opened = await OpenAsync(call, call.Get(bucket), ct);
            var old = await opened.GetRevisionAsync<byte[]>(call.Get(key), call.Get(revision), ct: ct);
            if (old is not { Operation: KeyValueOperation.Put }) throw new NatsClientException(NatsErrorCode.NotFound, $"Key '{call.Get(key)}' has no value at revision {call.Get(revision)}.");
            var now = await opened.PutAsync(call.Get(key), old.Value, ct: ct);
            await call.WriteAsync(JsonText.Object(("revision", now)), $"Revision {now}");
        }
    }

    private static Command Compact()
    {
        var bucket = new Argument<string>("bucket") { Description = "The bucket" };
        var older = JetStreamVerb.Time("--older-than", "Keep younger delete markers; 0 for none (30m)");
        return JetStreamVerb.CreateConfirmed("compact", """
            Remove the delete markers and old values of deleted keys.
              postrider kv compact settings --older-than 1d
            """, call => $"remove the delete markers and old values of deleted keys of bucket {call.Get(bucket)}", RunAsync, bucket, older);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var removed = await (await OpenAsync(call, call.Get(bucket), ct)).PurgeDeletesAsync(call.Get(older), ct);
            await call.WriteAsync(JsonText.Object(("removed", removed)), $"Removed {Quantity.Of(removed, "deleted key")}");
        }
    }
}
