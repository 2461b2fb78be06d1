using System.ServiceModel;
using Postrider.InteropTests.Harness;
using Postrider.Rpc;
using Postrider.Rpc.Soap;

namespace Postrider.InteropTests.Soap;

/// <summary>Our client calls a service written with npm's soap.</summary>
public sealed class ForeignServiceTests(StoreServer description) : IClassFixture<StoreServer>, IAsyncLifetime
{
    private readonly string _wsdl = Path.GetTempFileName();
    private ForeignProgram _service = null!;
    private SoapChannel _channel = null!;
    private StoreClient _store = null!;

    public async ValueTask InitializeAsync()
    {
        using var http = new HttpClient();
        await File.WriteAllTextAsync(_wsdl, await http.GetStringAsync(description.Address + "?singleWsdl"));
        _service = ForeignProgram.Start("node", Path.Combine(Tools.NodeStories, "soap-server.mjs"), _wsdl);
        var port = await _service.NextLineOrEndAsync() ?? throw new InvalidOperationException(await _service.ToEndAsync());
        _channel = new SoapChannel(new Uri($"http://127.0.0.1:{port}/store"), StoreXml.Default);
        _store = new StoreClient(_channel);
    }

    public async ValueTask DisposeAsync()
    {
        await _channel.DisposeAsync();
        await _service.DisposeAsync();
        File.Delete(_wsdl);
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

        Assert.Equal((new SoldOut { Item = "tea", Left = 3 }, "Only 3 are left."), (fault.Detail, fault.Reason));
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
}
