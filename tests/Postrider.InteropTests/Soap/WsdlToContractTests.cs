using System.ServiceModel;
using Postrider.InteropTests.Harness;
using Postrider.Rpc.Soap;

namespace Postrider.InteropTests.Soap;

/// <summary>The contract that our program writes of the service's WSDL calls the service.</summary>
public sealed class WsdlToContractTests(StoreServer server) : IClassFixture<StoreServer>
{
    [Theory]
    [InlineData("wsdl")]
    [InlineData("singleWsdl")]
    public async Task Program_writes_the_contract_that_is_compiled_here(string query)
    {
        var written = await ForeignProgram.RunAsync(Tools.Postrider, "wsdl2cs", $"{server.Address}?{query}", "--namespace", "Postrider.InteropTests.Soap.Written");

        var expected = await File.ReadAllTextAsync(Path.Combine(Tools.Repository, "tests", "Postrider.InteropTests", "Soap", "Written", "StoreContract.cs"));
        Assert.Equal(expected.Replace("http://localhost/store.svc", server.Address, StringComparison.Ordinal).TrimEnd(), written);
    }

    [Fact]
    public async Task Written_contract_calls_the_service()
    {
        await using var channel = new SoapChannel(new Uri(server.Address), Written.StoreXml.Default);
        var store = new Written.StoreClient(channel);
        var goods = new Written.Goods { Id = Guid.NewGuid(), Name = "tea", Size = Written.Size.VeryLarge, Parts = [new() { Label = "a", Number = 1 }], Picture = [1, 2], Left = 4 };

        var back = await store.EchoAsync(goods, TestContext.Current.CancellationToken);

        Assert.Equivalent(goods, back, strict: true);
        Assert.Equal(42, await store.AddAsync(40, 2, TestContext.Current.CancellationToken));
        Assert.Equal(["c", "b", "a"], await store.ReverseAsync(["a", "b", "c"], TestContext.Current.CancellationToken) ?? []);
        var fault = await Assert.ThrowsAsync<FaultException<Written.SoldOut>>(() => store.BuyAsync("tea", 4, TestContext.Current.CancellationToken));
        Assert.Equal(("tea", 3), (fault.Detail.Item, fault.Detail.Left));
    }
}
