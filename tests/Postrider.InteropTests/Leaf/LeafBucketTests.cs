using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>Buckets of the hub that the edge mirrors: they are read there while the link is cut, and whole after it heals.</summary>
public sealed class LeafBucketTests : IDisposable
{
    private const string Api = "$JS.hub.API";

    // Go's server looks for a silent source each ten seconds.
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-leaf-buckets-");
    private readonly CancellationTokenSource _end = new(Limit);

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => LeafPair.Kinds;

    private CancellationToken Ct => _end.Token;

    public void Dispose()
    {
        _end.Dispose();
        _folder.Delete(recursive: true);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Keys_and_objects_are_read_at_the_edge_over_a_cut_and_a_heal(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, Store("hub"), spokeOptions: Store("spoke"));
        var (centre, edge) = (await pair.ConnectAsync(pair.Hub), await pair.ConnectAsync(pair.Spoke));
        var keys = await centre.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = "shop", History = 3 }, Ct);
        var objects = await centre.CreateObjectStoreContext().CreateBucketAsync(new ObjectBucketConfig { Bucket = "files" }, Ct);
        var keysAtEdge = await edge.CreateKeyValueContext().CreateBucketAsync(
            new KeyValueConfig { Bucket = "shop", History = 3, Mirror = new StreamSource { Name = "shop", External = new ExternalStream { ApiPrefix = Api } } }, Ct);
        await edge.CreateJetStreamContext().CreateStreamAsync(
            new StreamConfig { Name = "OBJ_files", Mirror = new StreamSource { Name = "OBJ_files", External = new ExternalStream { ApiPrefix = Api } }, MirrorDirect = true, AllowDirect = true }, Ct);
        var objectsAtEdge = await edge.CreateObjectStoreContext().GetBucketAsync("files", Ct);
        await keys.PutAsync("colour", "red", ct: Ct);
        // What is put at the edge goes to the hub.
        await keysAtEdge.PutAsync("size", "small", ct: Ct);
        await objects.PutAsync("small", Bytes(1000), Ct);
        await AwaitSameAsync(keys.Stream, keysAtEdge.Stream);
        await AwaitSameAsync(await StreamAsync(centre), await StreamAsync(edge));

        pair.Link.Cut();
        await LeafPair.AwaitLinksAsync(pair.Spoke, 0);
        await keys.PutAsync("colour", "green", ct: Ct);
        await keys.DeleteAsync("size", ct: Ct);
        await objects.PutAsync("large", Bytes(400_000), Ct);
        await objects.DeleteAsync("small", Ct);

        Assert.Equal(["red", "small"], [(await keysAtEdge.GetAsync<string>("colour", ct: Ct)).Value, (await keysAtEdge.GetAsync<string>("size", ct: Ct)).Value]);
        Assert.Equal(Bytes(1000), await objectsAtEdge.GetBytesAsync("small", Ct));
        Assert.Null(await objectsAtEdge.TryGetInfoAsync("large", ct: Ct));

        pair.Link.Heal();
        await LeafPair.AwaitLinksAsync(pair.Spoke, 1);
        await AwaitSameAsync(keys.Stream, keysAtEdge.Stream);
        Assert.Equal("green", (await keysAtEdge.GetAsync<string>("colour", ct: Ct)).Value);
        Assert.Null(await keysAtEdge.TryGetAsync<string>("size", ct: Ct));
        Assert.Equal(["red", "green"], (await keysAtEdge.GetHistoryAsync<string>("colour", ct: Ct).ToListAsync(Ct)).Select(static entry => entry.Value));
        Assert.Equal(["colour"], await keysAtEdge.GetKeysAsync(ct: Ct).ToListAsync(Ct));
        // The chunks of the deleted object are purged at the hub; a mirror keeps what it has.
        await Eventually.HoldsAsync(async () => (await (await StreamAsync(edge)).RefreshAsync(ct: Ct)).State.LastSequence == (await (await StreamAsync(centre)).RefreshAsync(ct: Ct)).State.LastSequence, Limit);
        Assert.Equal(Bytes(400_000), await objectsAtEdge.GetBytesAsync("large", Ct));
        Assert.Null(await objectsAtEdge.TryGetInfoAsync("small", ct: Ct));
        Assert.Equal(["large"], await objectsAtEdge.ListAsync(ct: Ct).Select(static found => found.Name).ToListAsync(Ct));
    }

    private static byte[] Bytes(int count)
    {
        var bytes = new byte[count];
        new Random(count).NextBytes(bytes);
        return bytes;
    }

    private Task<JetStreamStream> StreamAsync(NatsClient client) => client.CreateJetStreamContext().GetStreamAsync("OBJ_files", ct: Ct);

    private Task AwaitSameAsync(JetStreamStream origin, JetStreamStream copy) => Eventually.HoldsAsync(
        async () =>
        {
            var (there, here) = ((await origin.RefreshAsync(ct: Ct)).State, (await copy.RefreshAsync(ct: Ct)).State);
            return (here.Messages, here.LastSequence) == (there.Messages, there.LastSequence);
        },
        Limit,
        $"{copy.Name} at the edge as at the hub");

    private string Store(string domain) => $"jetstream {{ store_dir: \"{Path.Combine(_folder.FullName, domain)}\", domain: {domain} }}";
}
