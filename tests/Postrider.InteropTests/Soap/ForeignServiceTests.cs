using System.ServiceModel;
using Postrider.InteropTests.Harness;
using Postrider.Rpc;
using Postrider.Rpc.Soap;

namespace Postrider.InteropTests.Soap;

/// <summary>Our client calls a service that was made of our WSDL with somebody else's tools.</summary>
public abstract class ForeignServiceTests : IAsyncLifetime
{
    private ForeignProgram _service = null!;
    private SoapChannel _channel = null!;
    private StoreClient _store = null!;

    private protected IStore Client => _store;

    private protected abstract SoapChannelOptions Options { get; }

    public async ValueTask InitializeAsync()
    {
        _service = Start();
        var port = await _service.NextLineOrEndAsync() ?? throw new InvalidOperationException(await _service.ToEndAsync());
        _channel = new SoapChannel(new Uri($"http://127.0.0.1:{port}/store"), StoreXml.Default, Options);
        _store = new StoreClient(_channel);
    }

    public async ValueTask DisposeAsync()
    {
        await _channel.DisposeAsync();
        await _service.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void Numbers_and_lists_go_there_and_back()
    {
        Assert.Equal(42, _store.Add(40, 2));
        Assert.Equal(["c", "b", "a"], _store.Reverse(["a", "b", "c"]));
    }

    [Fact]
    public async Task Fault_of_the_contract_arrives_with_its_detail()
    {
        var fault = await Assert.ThrowsAsync<FaultException<SoldOut>>(() => _store.BuyAsync("tea", 4));

        Assert.Equal((new SoldOut { Item = "tea", Left = 3 }, "Only 3 are left."), (fault.Detail, fault.Reason.ToString()));
        Assert.Equal(2, await _store.BuyAsync("tea", 2));
    }

    [Fact]
    public void Header_arrives() => Assert.Equal("north", _store.WhoAmI(new CallContext { Headers = { ["Tenant"] = "north" } }));

    [Fact]
    public void Object_goes_there_and_back()
    {
        var goods = new Goods
        {
            Id = Guid.NewGuid(),
            Name = "Grüße & <Küsse>",
            Price = 12.5m,
            Made = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc),
            Left = 7,
            Size = Size.Large,
            Picture = [0, 1, 2, 255],
            IsFragile = true,
            Weight = 1.5,
        };

        var back = _store.Echo(goods);

        Assert.Equivalent(goods, back, strict: true);
    }

    private protected abstract ForeignProgram Start();
}

public sealed class NpmServiceTests : ForeignServiceTests
{
    private protected override SoapChannelOptions Options => new();

    private protected override ForeignProgram Start()
        => ForeignProgram.Start("node", Path.Combine(Tools.NodeStories, "soap-server.mjs"), Tools.Story("cpp", "store.wsdl"));
}

public sealed class GsoapServiceTests : ForeignServiceTests
{
    private protected override SoapChannelOptions Options => new();

    private protected override ForeignProgram Start() => GsoapProgram.Serve();
}

public sealed class Gsoap12ServiceTests : ForeignServiceTests
{
    private protected override SoapChannelOptions Options => new() { Version = SoapVersion.Soap12, UsesAttachments = true };

    [Fact]
    public void Bytes_go_there_and_back_beside_the_envelope()
    {
        var picture = new byte[100_000];
        new Random(1).NextBytes(picture);

        var back = Client.Echo(new Goods { Name = "large", Picture = picture });

        Assert.Equal(picture, back.Picture);
    }

    private protected override ForeignProgram Start() => GsoapProgram.Serve();
}
