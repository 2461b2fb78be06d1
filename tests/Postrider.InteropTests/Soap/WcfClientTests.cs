extern alias wcf;

using System.Net;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Soap.Server;
using wcf::System.ServiceModel;
using wcf::System.ServiceModel.Channels;
using Basic = wcf::System.ServiceModel.BasicHttpBinding;
using Ws = wcf::System.ServiceModel.WSHttpBinding;

namespace Postrider.InteropTests.Soap;

/// <summary>WCF's own client against our service.</summary>
/// <remarks>One after the other with the other tests of that client: its serializer loses count of its contracts when threads meet them first ("DataContract cache overflow").</remarks>
[Collection("DataContractSerializer")]
public sealed class WcfClientTests : IAsyncLifetime
{
    private readonly WebApplication _app;

    public WcfClientTests()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        _app = builder.Build();
        _app.MapSoap("/urn.svc", UrnBoardContract.Serve(new Board()), BoardXml.Default);
        _app.MapSoap("/http.svc", HttpBoardContract.Serve(new Board()), BoardXml.Default);
    }

    public static TheoryData<string, bool> Bindings
    {
        get
        {
            var rows = new TheoryData<string, bool>();
            foreach (var binding in (string[])["basic", "basic, UTF-16", "basic, MTOM", "WS", "WS, MTOM"])
            {
                rows.Add(binding, true);
                rows.Add(binding, false);
            }

            return rows;
        }
    }

    public async ValueTask InitializeAsync() => await _app.StartAsync();

    public async ValueTask DisposeAsync() => await _app.DisposeAsync();

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task Call_of_the_real_client_is_answered(string binding, bool isUrn)
        => Assert.Equal(5, await CallAsync<int>(binding, isUrn, urn => urn.Add(2, 3), http => http.Add(2, 3)));

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task Data_contract_of_the_real_client_comes_back_as_it_was(string binding, bool isUrn)
    {
        var post = new BoardPost { Text = "tea & <cake> ä€", Image = new byte[5000], Votes = new() { ["b"] = 1, ["a"] = 2 }, Author = new(7, "Ada") };

        var back = await CallAsync(binding, isUrn, urn => urn.Echo(post), http => http.Echo(post));

        Assert.Equal((post.Text, 5000, "Ada", "a2b1"), (back.Text, back.Image!.Length, back.Author.Value, string.Concat(back.Votes!.Select(v => v.Key + v.Value))));
    }

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task Fault_reaches_the_real_client_as_the_contract_names_it(string binding, bool isUrn)
    {
        var failure = await Assert.ThrowsAsync<FaultException<BoardFault>>(() => CallAsync(binding, isUrn, urn => urn.Find("lost"), http => http.Find("lost")));

        Assert.Equal(("lost", "There is no such post."), (failure.Detail.Name, failure.Message));
    }

    private async Task<T> CallAsync<T>(string binding, bool isUrn, Func<IUrnBoardCaller, Task<T>> urn, Func<IHttpBoardCaller, Task<T>> http)
        => isUrn ? await CallAsync(binding, "/urn.svc", urn) : await CallAsync(binding, "/http.svc", http);

    private async Task<T> CallAsync<TContract, T>(string binding, string path, Func<TContract, Task<T>> call)
    {
        using var factory = new ChannelFactory<TContract>(BindingOf(binding), new EndpointAddress(_app.Urls.Single() + path));
        return await call(factory.CreateChannel());
    }

    private static Binding BindingOf(string binding) => binding switch
    {
        "basic" => new Basic(),
        "basic, UTF-16" => new Basic { TextEncoding = Encoding.Unicode },
        "basic, MTOM" => new Basic { MessageEncoding = WSMessageEncoding.Mtom },
        "WS" => new Ws(SecurityMode.None),
        _ => new Ws(SecurityMode.None) { MessageEncoding = WSMessageEncoding.Mtom },
    };
}
