using System.Security.Cryptography;
using Postrider.Client;
using Postrider.Client.JetStream.Models;
using Postrider.Client.ObjectStore;

namespace Postrider.InteropTests.Client.JetStream;

public abstract class ObjectStoreTests(IServerFixture fixture) : JetStreamStory(fixture)
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 1)]
    [InlineData(131_072, 1)]
    [InlineData(131_073, 2)]
    [InlineData(3_000_000, 23)]
    public async Task Object_comes_back_as_it_was_put(int size, int chunks)
    {
        var bucket = await BucketAsync();
        var bytes = Bytes(size);

        var put = await bucket.PutAsync("folder/größe", bytes, Ct);
        var got = await bucket.GetBytesAsync("folder/größe", Ct);
        var info = await bucket.GetInfoAsync("folder/größe", Ct);

        Assert.Equal(bytes, got);
        Assert.Equal((size, chunks, $"SHA-256={Convert.ToBase64String(SHA256.HashData(bytes)).Replace('+', '-').Replace('/', '_')}"), ((int)info.Size, info.Chunks, info.Digest));
        Assert.Equal((Name, "folder/größe", put.Id, 128 * 1024), (info.Bucket, info.Name, info.Id, info.Options!.MaxChunkBytes));
        Assert.InRange(info.Modified, TimeProvider.System.GetUtcNow().AddMinutes(-1), TimeProvider.System.GetUtcNow().AddMinutes(1));
    }

    [Fact]
    public async Task Object_that_is_put_again_takes_the_place_of_the_old()
    {
        var bucket = await BucketAsync();

        await bucket.PutAsync("a", Bytes(300_000), Ct);
        await bucket.PutAsync("a", Bytes(10), Ct);

        Assert.Equal(Bytes(10), await bucket.GetBytesAsync("a", Ct));
        // One chunk and one message about it.
        Assert.Equal(2UL, (await bucket.GetStatusAsync(Ct)).Stream.State.Messages);
    }

    [Fact]
    public async Task Everything_that_is_said_about_an_object_is_kept_and_can_be_changed()
    {
        var bucket = await BucketAsync();
        var meta = new ObjectMeta
        {
            Name = "a",
            Description = "first",
            ChunkBytes = 1000,
            Headers = new Dictionary<string, IReadOnlyList<string>> { ["Kind"] = ["x", "y"] },
            Metadata = new Dictionary<string, string> { ["owner"] = "shop" },
        };
        using var source = new MemoryStream(Bytes(2500));

        await bucket.PutAsync(meta, source, Ct);
        var info = await bucket.GetInfoAsync("a", Ct);
        await bucket.UpdateMetaAsync("a", new ObjectMeta { Name = "b", Description = "second" }, Ct);

        Assert.Equal((3, "first", 1000), (info.Chunks, info.Description, info.Options!.MaxChunkBytes));
        Assert.Equal(["x", "y"], info.Headers!["Kind"]);
        Assert.Equal("shop", info.Metadata!["owner"]);
        Assert.Null(await bucket.TryGetInfoAsync("a", includeDeleted: true, Ct));
        Assert.Equal("second", (await bucket.GetInfoAsync("b", Ct)).Description);
        Assert.Equal(Bytes(2500), await bucket.GetBytesAsync("b", Ct));
    }

    [Fact]
    public async Task Deleted_object_is_gone_and_remembered()
    {
        var bucket = await BucketAsync();
        await bucket.PutAsync("a", Bytes(300_000), Ct);

        await bucket.DeleteAsync("a", Ct);
        var error = await Assert.ThrowsAsync<NatsClientException>(() => bucket.GetBytesAsync("a", Ct));
        var remembered = await bucket.TryGetInfoAsync("a", includeDeleted: true, Ct);

        Assert.Equal((NatsErrorCode.NotFound, $"Object 'a' does not exist in bucket '{Name}'."), (error.Code, error.Message));
        Assert.True(remembered!.Deleted);
        Assert.Equal(1UL, (await bucket.GetStatusAsync(Ct)).Stream.State.Messages);
        Assert.Empty(await bucket.ListAsync(ct: Ct).ToListAsync(Ct));
        Assert.Single(await bucket.ListAsync(includeDeleted: true, Ct).ToListAsync(Ct));
    }

    [Fact]
    public async Task Links_lead_to_objects_of_this_and_of_other_buckets()
    {
        var bucket = await BucketAsync();
        var other = await BucketAsync("_2");
        var here = await bucket.PutAsync("a", Bytes(10), Ct);
        var there = await other.PutAsync("b", Bytes(20), Ct);

        await bucket.AddLinkAsync("to-a", here, Ct);
        var link = await bucket.AddLinkAsync("to-b", there, Ct);
        await bucket.AddBucketLinkAsync("to-bucket", other, Ct);

        Assert.Equal(Bytes(10), await bucket.GetBytesAsync("to-a", Ct));
        Assert.Equal(Bytes(20), await bucket.GetBytesAsync("to-b", Ct));
        Assert.Equal(new ObjectLink(other.Name, "b"), (await bucket.GetInfoAsync("to-b", Ct)).Link);
        Assert.Equal(new ObjectLink(other.Name), (await bucket.GetInfoAsync("to-bucket", Ct)).Link);
        Assert.Equal(NatsErrorCode.InvalidArgument, (await Assert.ThrowsAsync<NatsClientException>(() => bucket.GetBytesAsync("to-bucket", Ct))).Code);
        Assert.Equal(NatsErrorCode.InvalidArgument, (await Assert.ThrowsAsync<NatsClientException>(() => bucket.AddLinkAsync("a", there, Ct))).Code);
        Assert.Equal(NatsErrorCode.InvalidArgument, (await Assert.ThrowsAsync<NatsClientException>(() => bucket.AddLinkAsync("c", link, Ct))).Code);
    }

    [Fact]
    public async Task Watch_gives_what_is_there_says_so_and_follows()
    {
        var bucket = await BucketAsync();
        await bucket.PutAsync("a", Bytes(1), Ct);
        await bucket.PutAsync("b", Bytes(2), Ct);
        var seen = new List<string>();

        await foreach (var info in bucket.WatchAsync(new ObjectWatchOptions { InitialValuesDone = () => seen.Add("all there") }, Ct))
        {
            seen.Add($"{info.Name} {info.Size} {info.Deleted}");
            if (seen.Count == 2) _ = Task.Run(() => bucket.DeleteAsync("a", Ct));
            if (seen.Count == 4) break;
        }

        Assert.Equal(["a 1 False", "b 2 False", "all there", "a 0 True"], seen);
    }

    [Fact]
    public async Task Sealed_bucket_changes_no_more()
    {
        var bucket = await BucketAsync();
        await bucket.PutAsync("a", Bytes(10), Ct);

        await bucket.SealAsync(Ct);
        var refused = await Assert.ThrowsAnyAsync<NatsClientException>(() => bucket.PutAsync("b", Bytes(10), Ct));

        Assert.True((await bucket.GetStatusAsync(Ct)).IsSealed);
        Assert.Equal(Bytes(10), await bucket.GetBytesAsync("a", Ct));
        Assert.Contains("sealed", refused.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Put_that_fails_leaves_the_object_of_before_and_no_chunks()
    {
        var bucket = await BucketAsync();
        await bucket.PutAsync("a", Bytes(10), Ct);
        await using var broken = new BrokenSource(300_000);

        await Assert.ThrowsAsync<IOException>(() => bucket.PutAsync("a", broken, Ct));

        Assert.Equal(Bytes(10), await bucket.GetBytesAsync("a", Ct));
        Assert.Equal(2UL, (await bucket.GetStatusAsync(Ct)).Stream.State.Messages);
    }

    [Fact]
    public async Task Put_that_is_cancelled_leaves_the_object_of_before_and_no_chunks()
    {
        var bucket = await Client.CreateObjectStoreContext().CreateBucketAsync(new ObjectBucketConfig { Bucket = Name, Storage = StreamStorage.Memory }, Ct);
        await bucket.PutAsync("o", "before"u8.ToArray(), Ct);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        await using var source = new EndlessStream(1_000_000, stop.Cancel);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => bucket.PutAsync("o", source, stop.Token));

        Assert.Equal("before"u8.ToArray(), await bucket.GetBytesAsync("o", Ct));
        // One message about the object, and its one chunk.
        Assert.Equal(2UL, (await bucket.GetStatusAsync(Ct)).Stream.State.Messages);
    }

    [Fact]
    public async Task Object_of_a_hundred_megabytes_comes_back_with_its_digest()
    {
        const int Megabytes = 100;
        var bucket = await Client.CreateObjectStoreContext().CreateBucketAsync(new ObjectBucketConfig { Bucket = Name }, Ct);
        await using var source = new EndlessStream(Megabytes << 20, static () => { }, ends: true);

        var put = await bucket.PutAsync("large", source, Ct);
        await using var target = new CountingStream();
        await bucket.GetAsync("large", target, Ct);

        Assert.Equal((long)Megabytes << 20, (long)put.Size);
        Assert.Equal((long)Megabytes << 20, target.Length);
    }

    [Fact]
    public async Task Bytes_that_are_not_those_of_the_digest_are_told()
    {
        var bucket = await BucketAsync();
        var info = await bucket.PutAsync("a", Bytes(300_000), Ct);
        var chunk = await bucket.Stream.GetLastMessageAsync<byte[]>($"$O.{Name}.C.{info.Id}", ct: Ct);

        await bucket.Stream.DeleteMessageAsync(chunk!.Sequence, ct: Ct);
        await Context.PublishAsync($"$O.{Name}.C.{info.Id}", new byte[chunk.Data.Length], ct: Ct);
        var error = await Assert.ThrowsAsync<NatsClientException>(() => bucket.GetBytesAsync("a", Ct));

        Assert.Equal(NatsErrorCode.DigestMismatch, error.Code);
    }

    [Fact]
    public async Task Chunks_that_are_no_objects_are_taken_out_when_they_are_old_enough()
    {
        var bucket = await BucketAsync();
        await bucket.PutAsync("kept", Bytes(300_000), Ct);
        var deleted = await bucket.PutAsync("deleted", Bytes(10), Ct);
        await bucket.DeleteAsync("deleted", Ct);
        foreach (var id in (string[])["killedPut", deleted.Id])
            for (var chunk = 0; chunk < 3; chunk++) await Context.PublishAsync($"$O.{Name}.C.{id}", Bytes(100), ct: Ct);

        var young = await bucket.PurgeOrphanedChunksAsync(ct: Ct);
        var messages = (await bucket.GetStatusAsync(Ct)).Stream.State.Messages;
        var purged = await bucket.PurgeOrphanedChunksAsync(TimeSpan.FromMinutes(-1), Ct);

        Assert.Equal((0, 11UL, 2), (young, messages, purged));
        Assert.Equal(5UL, (await bucket.GetStatusAsync(Ct)).Stream.State.Messages);
        Assert.Equal(Bytes(300_000), await bucket.GetBytesAsync("kept", Ct));
        Assert.True((await bucket.TryGetInfoAsync("deleted", includeDeleted: true, Ct))!.Deleted);
    }

    [Fact]
    public async Task Buckets_are_listed_and_deleted()
    {
        var bucket = await BucketAsync();
        var store = Client.CreateObjectStoreContext();

        var listed = await store.ListBucketsAsync(Ct).Select(status => status.Bucket).ToListAsync(Ct);
        await store.DeleteBucketAsync(bucket.Name, Ct);
        var gone = await Assert.ThrowsAsync<JetStreamException>(() => store.GetBucketAsync(bucket.Name, Ct));

        Assert.Contains(Name, listed);
        Assert.Equal(JetStreamErrors.StreamNotFound, gone.ErrorCode);
    }

    private static byte[] Bytes(int size)
    {
        var bytes = new byte[size];
        new Random(size).NextBytes(bytes);
        return bytes;
    }

    private Task<ObjectBucket> BucketAsync(string suffix = "")
        => Client.CreateObjectStoreContext().CreateBucketAsync(new ObjectBucketConfig { Bucket = Name + suffix, Storage = StreamStorage.Memory }, Ct);

    private sealed class BrokenSource(int goodBytes) : MemoryStream(new byte[goodBytes])
    {
        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var read = await base.ReadAsync(buffer, cancellationToken);
            return read > 0 ? read : throw new IOException("The disk is gone.");
        }
    }
}
