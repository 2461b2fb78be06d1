using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Soap;

/// <summary>The WSDL that programs were compiled from is the one that the service gives.</summary>
public sealed class DescriptionTests(StoreServer server) : IClassFixture<StoreServer>
{
    [Fact]
    public async Task Wsdl_is_the_one_that_gSOAP_was_given()
    {
        using var http = new HttpClient();

        var served = await http.GetStringAsync(server.Address + "?singleWsdl");

        Assert.Equal(await File.ReadAllTextAsync(Tools.Story("cpp", "store.wsdl")), served.Replace(server.Address, "http://localhost/store.svc", StringComparison.Ordinal));
    }
}
