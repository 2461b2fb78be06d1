using Postrider.Client;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;

namespace Postrider.InteropTests.Client.JetStream;

public abstract class KeyValueTests(IServerFixture fixture) : JetStreamStory(fixture)
{
    [Fact]
    public async Task Bucket_is_created_found_listed_changed_and_deleted()
    {
        var store = Client.CreateKeyValueContext();

        await store.CreateBucketAsync(new KeyValueConfig { Bucket = Name, History = 5, TimeToLive = TimeSpan.FromHours(1), Description = "settings", Compression = true }, Ct);
        var status = await (await store.GetBucketAsync(Name, Ct)).GetStatusAsync(Ct);
        var listed = await store.ListBucketsAsync(Ct).Select(bucket => bucket.Bucket).ToListAsync(Ct);
        var changed = await store.CreateOrUpdateBucketAsync(new KeyValueConfig { Bucket = Name, History = 7, TimeToLive = TimeSpan.FromHours(1), Compression = true }, Ct);
        await store.DeleteBucketAsync(Name, Ct);
        var gone = await Assert.ThrowsAsync<JetStreamException>(() => store.GetBucketAsync(Name, Ct));

        Assert.Equal((Name, 5L, TimeSpan.FromHours(1), true, 0UL), (status.Bucket, status.History, status.TimeToLive, status.IsCompressed, status.Values));
        Assert.Equal($"KV_{Name}", status.Stream.Config.Name);
        Assert.Equal([$"$KV.{Name}.>"], status.Stream.Config.Subjects!);
        Assert.Contains(Name, listed);
        Assert.Equal(7, changed.Stream.Info.Config.MaxMessagesPerSubject);
        Assert.Equal(JetStreamErrors.StreamNotFound, gone.ErrorCode);
    }

    [Fact]
    public async Task Value_is_put_got_and_deleted()
    {
        var bucket = await BucketAsync(history: 2);

        var first = await bucket.PutAsync("a.b", "one", ct: Ct);
        var second = await bucket.PutAsync("a.b", "two", ct: Ct);
        var got = await bucket.GetAsync<string>("a.b", ct: Ct);
        var old = await bucket.GetRevisionAsync<string>("a.b", first, ct: Ct);
        var others = await bucket.GetRevisionAsync<string>("other", first, ct: Ct);
        await bucket.DeleteAsync("a.b", ct: Ct);
        var deleted = await bucket.TryGetAsync<string>("a.b", ct: Ct);
        var error = await Assert.ThrowsAsync<NatsClientException>(() => bucket.GetAsync<string>("a.b", ct: Ct));

        Assert.Equal((1UL, 2UL), (first, second));
        Assert.Equal((Name, "a.b", "two", 2UL, KeyValueOperation.Put), (got.Bucket, got.Key, got.Value, got.Revision, got.Operation));
        Assert.InRange(got.Created, TimeProvider.System.GetUtcNow().AddMinutes(-1), TimeProvider.System.GetUtcNow().AddMinutes(1));
        Assert.Equal("one", old!.Value);
        Assert.Null(others);
        Assert.Null(deleted);
        Assert.Equal(NatsErrorCode.NotFound, error.Code);
        Assert.Equal($"Key 'a.b' does not exist in bucket '{Name}'.", error.Message);
    }

    [Fact]
    public async Task Create_and_update_take_place_only_where_nobody_was_faster()
    {
        var bucket = await BucketAsync();

        var created = await bucket.CreateAsync("k", 1, ct: Ct);
        var again = await Assert.ThrowsAsync<NatsClientException>(() => bucket.CreateAsync("k", 2, ct: Ct));
        var updated = await bucket.UpdateAsync("k", 3, created, ct: Ct);
        var late = await Assert.ThrowsAsync<NatsClientException>(() => bucket.UpdateAsync("k", 4, created, ct: Ct));
        var notDeleted = await Assert.ThrowsAsync<NatsClientException>(() => bucket.DeleteAsync("k", created, Ct));
        await bucket.DeleteAsync("k", updated, Ct);
        var afterDelete = await bucket.CreateAsync("k", 5, ct: Ct);
        await bucket.PurgeAsync("k", afterDelete, ct: Ct);
        var afterPurge = await bucket.CreateAsync("k", 6, ct: Ct);

        Assert.Equal(NatsErrorCode.WrongRevision, again.Code);
        Assert.Equal(NatsErrorCode.WrongRevision, late.Code);
        Assert.Equal(NatsErrorCode.WrongRevision, notDeleted.Code);
        Assert.Equal(6, (await bucket.GetAsync<int>("k", ct: Ct)).Value);
        Assert.True(afterPurge > afterDelete);
    }

    [Fact]
    public async Task History_keeps_what_it_was_told_to()
    {
        var bucket = await BucketAsync(history: 3);
        for (var i = 1; i <= 5; i++) await bucket.PutAsync("k", i, ct: Ct);
        await bucket.DeleteAsync("k", ct: Ct);

        var history = await bucket.GetHistoryAsync<int>("k", ct: Ct).ToListAsync(Ct);
        await bucket.PurgeAsync("k", ct: Ct);
        var purged = await bucket.GetHistoryAsync<int>("k", ct: Ct).ToListAsync(Ct);
        var none = await bucket.GetHistoryAsync<int>("other", ct: Ct).ToListAsync(Ct);

        Assert.Equal([(4, KeyValueOperation.Put), (5, KeyValueOperation.Put), (0, KeyValueOperation.Delete)], history.Select(entry => (entry.Value, entry.Operation)));
        Assert.Equal(KeyValueOperation.Purge, Assert.Single(purged).Operation);
        Assert.Empty(none);
    }

    [Fact]
    public async Task Keys_are_those_with_values()
    {
        var bucket = await BucketAsync();
        foreach (var key in new[] { "a.1", "a.2", "b.1", "c" }) await bucket.PutAsync(key, key, ct: Ct);
        await bucket.DeleteAsync("a.2", ct: Ct);

        var all = await bucket.GetKeysAsync(ct: Ct).ToListAsync(Ct);
        var some = await bucket.GetKeysAsync(["a.*", "c"], Ct).ToListAsync(Ct);
        var none = await bucket.GetKeysAsync(["z.>"], Ct).ToListAsync(Ct);

        Assert.Equal(["a.1", "b.1", "c"], all.Order());
        Assert.Equal(["a.1", "c"], some.Order());
        Assert.Empty(none);
    }

    [Fact]
    public async Task Watch_gives_what_is_there_says_so_and_follows()
    {
        var bucket = await BucketAsync();
        await bucket.PutAsync("a", "1", ct: Ct);
        await bucket.PutAsync("b", "1", ct: Ct);
        await bucket.PutAsync("a", "2", ct: Ct);
        var seen = new List<string>();
        var options = new KeyValueWatchOptions { InitialValuesDone = () => seen.Add("all there") };

        await foreach (var entry in bucket.WatchAsync<string>(options: options, ct: Ct))
        {
            seen.Add($"{entry.Key} {entry.Operation} {entry.Value} {entry.IsUpdate}");
            if (seen.Count == 2) Change();
            if (seen.Count == 5) break;
        }

        Assert.Equal(["b Put 1 False", "a Put 2 False", "all there", "c Put 3 True", "a Delete  True"], seen);

        void Change() => _ = Task.Run(async () =>
        {
            await bucket.PutAsync("c", "3", ct: Ct);
            await bucket.DeleteAsync("a", ct: Ct);
        });
    }

    [Fact]
    public async Task Watch_of_an_empty_bucket_says_at_once_that_all_is_there()
    {
        var bucket = await BucketAsync();
        var done = new TaskCompletionSource();
        var watching = Task.Run(async () =>
        {
            await foreach (var entry in bucket.WatchAsync<int>(options: new KeyValueWatchOptions { InitialValuesDone = done.SetResult }, ct: Ct)) return entry.Value;
            return 0;
        });

        await done.Task.WaitAsync(Ct);
        await bucket.PutAsync("k", 42, ct: Ct);

        Assert.Equal(42, await watching);
    }

    [Fact]
    public async Task Watch_gives_only_what_was_asked_for()
    {
        var bucket = await BucketAsync(history: 5);
        await bucket.PutAsync("a.x", 1, ct: Ct);
        await bucket.PutAsync("a.x", 2, ct: Ct);
        await bucket.PutAsync("a.y", 3, ct: Ct);
        await bucket.DeleteAsync("a.y", ct: Ct);
        await bucket.PutAsync("b", 5, ct: Ct);

        var history = await FirstAsync(["a.>"], new KeyValueWatchOptions { IncludeHistory = true }, 4);
        var values = await FirstAsync(null, new KeyValueWatchOptions { IgnoreDeletes = true }, 2);
        var keys = await FirstAsync(["b"], new KeyValueWatchOptions { MetaOnly = true }, 1);
        var resumed = await FirstAsync(null, new KeyValueWatchOptions { FromRevision = 4 }, 2);

        Assert.Equal([1UL, 2UL, 3UL, 4UL], history.Select(entry => entry.Revision));
        Assert.Equal([2, 5], values.Select(entry => entry.Value));
        Assert.Equal(0, Assert.Single(keys).Value);
        Assert.Equal([4UL, 5UL], resumed.Select(entry => entry.Revision));

        async Task<List<KeyValueEntry<int>>> FirstAsync(string[]? filters, KeyValueWatchOptions options, int count)
        {
            var got = new List<KeyValueEntry<int>>();
            await foreach (var entry in bucket.WatchAsync<int>(filters, options, ct: Ct))
            {
                got.Add(entry);
                if (got.Count == count) break;
            }
            return got;
        }
    }

    [Fact]
    public async Task Watch_for_updates_begins_with_what_comes_next()
    {
        var bucket = await BucketAsync();
        await bucket.PutAsync("k", 1, ct: Ct);
        var begun = new TaskCompletionSource();
        var watching = Task.Run(async () =>
        {
            await foreach (var entry in bucket.WatchAsync<int>(options: new KeyValueWatchOptions { UpdatesOnly = true, InitialValuesDone = begun.SetResult }, ct: Ct)) return (entry.Value, entry.IsUpdate);
            return default;
        });

        await begun.Task.WaitAsync(Ct);
        await bucket.PutAsync("k", 2, ct: Ct);

        Assert.Equal((2, true), await watching);
    }

    [Fact]
    public async Task Key_lives_as_long_as_it_is_told_and_leaves_a_marker()
    {
        var bucket = await Client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = Name, Storage = StreamStorage.Memory, LimitMarkerTimeToLive = TimeSpan.FromSeconds(30) }, Ct);
        await bucket.CreateAsync("short", "x", TimeSpan.FromSeconds(1), ct: Ct);
        await bucket.PutAsync("long", "x", ct: Ct);

        var operations = new List<(string, KeyValueOperation)>();
        await foreach (var entry in bucket.WatchAsync<string>(["short"], ct: Ct))
        {
            operations.Add((entry.Key, entry.Operation));
            if (operations.Count == 2) break;
        }
        var again = await bucket.CreateAsync("short", "y", ct: Ct);

        Assert.Equal([("short", KeyValueOperation.Put), ("short", KeyValueOperation.Purge)], operations);
        Assert.Equal("y", (await bucket.GetAsync<string>("short", ct: Ct)).Value);
        Assert.True(again > 3);
        Assert.Equal(TimeSpan.FromSeconds(30), (await bucket.GetStatusAsync(Ct)).LimitMarkerTimeToLive);
    }

    [Fact]
    public async Task Reading_ends_although_what_was_to_come_is_purged_meanwhile()
    {
        var bucket = await Client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = Name, Storage = StreamStorage.Memory }, Ct);
        for (var i = 0; i < 3000; i++) await bucket.PutAsync($"k{i}", i, ct: Ct);
        var keys = new List<string>();

        await foreach (var key in bucket.GetKeysAsync(ct: Ct))
        {
            keys.Add(key);
            // More than a window of the reader are still at the server.
            if (keys.Count == 1) await bucket.Stream.PurgeAsync(ct: Ct);
        }

        Assert.InRange(keys.Count, 1, 2999);
    }

    [Fact]
    public async Task Deletions_are_cleared_away()
    {
        var bucket = await BucketAsync(history: 5);
        foreach (var key in new[] { "a", "b", "c" })
            for (var i = 0; i < 3; i++) await bucket.PutAsync(key, i, ct: Ct);
        await bucket.DeleteAsync("a", ct: Ct);
        await bucket.DeleteAsync("b", ct: Ct);

        var young = await bucket.PurgeDeletesAsync(ct: Ct);
        var withMarkers = (await bucket.GetStatusAsync(Ct)).Values;
        var all = await bucket.PurgeDeletesAsync(TimeSpan.Zero, Ct);

        Assert.Equal((2, 5UL, 2, 3UL), (young, withMarkers, all, (await bucket.GetStatusAsync(Ct)).Values));
    }

    [Fact]
    public async Task Mirror_reads_its_origin_and_writes_there()
    {
        var origin = await BucketAsync();
        await origin.PutAsync("k", "one", ct: Ct);
        var mirror = await Client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = $"{Name}_M", Storage = StreamStorage.Memory, Mirror = new StreamSource { Name = Name } }, Ct);

        var got = await Eventually.GivesAsync(async () => await mirror.TryGetAsync<string>("k", ct: Ct));
        await mirror.PutAsync("k2", "two", ct: Ct);

        // Whoever asks for a key of the origin may be answered by its mirror, which has the key a moment later.
        var written = await Eventually.GivesAsync(async () => await origin.TryGetAsync<string>("k2", ct: Ct));

        Assert.Equal(("one", "two"), (got.Value, written.Value));
    }

    [Fact]
    public async Task Sources_are_gathered_under_their_keys()
    {
        var first = await BucketAsync();
        var both = await Client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = $"{Name}_G", Storage = StreamStorage.Memory, Sources = [new StreamSource { Name = Name }] }, Ct);

        await first.PutAsync("from.first", 1, ct: Ct);
        await both.PutAsync("own", 2, ct: Ct);
        await Eventually.HoldsAsync(async () => await both.TryGetAsync<int>("from.first", ct: Ct) is not null);

        Assert.Equal(["from.first", "own"], (await both.GetKeysAsync(ct: Ct).ToListAsync(Ct)).Order());
    }

    [Theory]
    [InlineData("")]
    [InlineData(".a")]
    [InlineData("a.")]
    [InlineData("a..b")]
    [InlineData("a b")]
    [InlineData("a*")]
    [InlineData("ä")]
    public async Task Key_of_the_wrong_form_is_refused_at_once(string key)
    {
        var bucket = await BucketAsync();

        var error = await Assert.ThrowsAsync<NatsClientException>(() => bucket.GetAsync<string>(key, ct: Ct));

        Assert.Equal(NatsErrorCode.InvalidArgument, error.Code);
    }

    private Task<KeyValueBucket> BucketAsync(int history = 1)
        => Client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = Name, History = history, Storage = StreamStorage.Memory }, Ct);
}
