using System.Security.Cryptography;
using Postrider.Client;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Client.JetStream;

/// <summary>Buckets that our client and nats.js use together: each reads what the other wrote.</summary>
/// <remarks>The objects' names are ASCII: of others nats.js encodes the code points, where Go's client and ours encode UTF-8.</remarks>
public sealed class SharedBucketsTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-interop-");
    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static TheoryData<ServerKind> Servers => [ServerKind.Go, ServerKind.Postrider];

    /// <summary>Runs when the server has ended: it writes to the folder until then.</summary>
    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Keys_and_objects_of_one_client_are_those_of_the_other(ServerKind kind)
    {
        await using var server = await ServerProcess.StartAsync(kind, "-js", "-sd", _folder.FullName);
        await using var client = await NatsClient.ConnectAsync(server.Url, ct: _ct);
        var bytes = new byte[300_000];
        new Random(7).NextBytes(bytes);
        var keys = await WriteKeysAsync(client);
        var objects = await WriteObjectsAsync(client, bytes);

        var told = await Story.ByNodeAsync("shared-buckets", server);

        Assert.Equal(
            $"""
            history colour=red@1/PUT colour=green@2/PUT
            got size=1@3/PUT gone=@5/DEL
            keys colour,size
            object folder/big 300000 3 first shop 131072
            bytes 300000 true {Convert.ToHexStringLower(SHA256.HashData(bytes))}
            link true
            list folder/big,link,small
            """,
            told);
        await AssertKeysAsync(keys);
        await AssertObjectsAsync(objects);
    }

    private async Task<KeyValueBucket> WriteKeysAsync(NatsClient client)
    {
        var bucket = await client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = "shared", History = 3 }, _ct);
        await bucket.PutAsync("colour", "red", ct: _ct);
        await bucket.PutAsync("colour", "green", ct: _ct);
        await bucket.CreateAsync("size", 1, ct: _ct);
        await bucket.PutAsync("gone", "x", ct: _ct);
        await bucket.DeleteAsync("gone", ct: _ct);
        return bucket;
    }

    private async Task AssertKeysAsync(KeyValueBucket bucket)
    {
        Assert.Equal("grün", (await bucket.GetAsync<string>("from.node", ct: _ct)).Value);
        Assert.Equal(["from.node", "gone"], (await bucket.GetKeysAsync(ct: _ct).ToListAsync(_ct)).Order());
        Assert.Equal([KeyValueOperation.Put, KeyValueOperation.Delete], (await bucket.GetHistoryAsync<string>("size", ct: _ct).ToListAsync(_ct)).Select(entry => entry.Operation));
        Assert.Equal([KeyValueOperation.Purge], (await bucket.GetHistoryAsync<string>("colour", ct: _ct).ToListAsync(_ct)).Select(entry => entry.Operation));
    }

    private async Task<ObjectBucket> WriteObjectsAsync(NatsClient client, byte[] bytes)
    {
        var bucket = await client.CreateObjectStoreContext().CreateBucketAsync(new ObjectBucketConfig { Bucket = "files" }, _ct);
        using var source = new MemoryStream(bytes);
        var meta = new ObjectMeta { Name = "folder/big", Description = "first", Metadata = new Dictionary<string, string> { ["owner"] = "shop" } };
        var info = await bucket.PutAsync(meta, source, _ct);
        await bucket.PutAsync("small", new byte[10], _ct);
        await bucket.AddLinkAsync("link", info, _ct);
        return bucket;
    }

    private async Task AssertObjectsAsync(ObjectBucket bucket)
    {
        var info = await bucket.GetInfoAsync("from/node", _ct);
        Assert.Equal((2500L, 3, "größer"), (info.Size, info.Chunks, info.Description));
        Assert.Equal(Enumerable.Repeat((byte)7, 2500), await bucket.GetBytesAsync("from/node", _ct));
        Assert.Equal(Enumerable.Repeat((byte)7, 2500), await bucket.GetBytesAsync("back", _ct));
        Assert.Equal(["back", "folder/big", "from/node", "link"], (await bucket.ListAsync(ct: _ct).Select(found => found.Name).ToListAsync(_ct)).Order(StringComparer.Ordinal));
        Assert.True((await bucket.TryGetInfoAsync("small", includeDeleted: true, _ct))!.Deleted);
    }
}
