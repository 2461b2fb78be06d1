using System.Net;
using System.Xml;
using CoreWCF;
using CoreWCF.Channels;
using CoreWCF.Configuration;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Benchmarks.Rpc;
using Postrider.Benchmarks.Rpc.Peers;

namespace Postrider.Benchmarks.Peers.CoreWcf;

/// <summary>CoreWCF with WCF's client: SOAP 1.1 text, binary; and without SOAP in XML and JSON, called by a message invoker.</summary>
internal sealed class CoreWcfPeer : IRpcPeer
{
    private readonly List<IDisposable> _owned = [];
    private WebApplication? _app;

    public async Task<IReadOnlyList<RpcSubject>> StartAsync()
    {
        var builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Limits.MaxRequestBodySize = null;
            kestrel.AllowSynchronousIO = true;
            kestrel.Listen(IPAddress.Loopback, 0);
        });
        builder.Services.AddServiceModelServices();
        builder.Services.AddServiceModelWebServices();
        builder.Services.AddSingleton<WcfEcho>();
        _app = builder.Build();
        ((IApplicationBuilder)_app).UseServiceModel(services =>
        {
            var basic = new BasicHttpBinding { MaxReceivedMessageSize = int.MaxValue, MaxBufferSize = int.MaxValue, ReaderQuotas = XmlDictionaryReaderQuotas.Max };
            var binary = new CustomBinding(
                new BinaryMessageEncodingBindingElement { ReaderQuotas = XmlDictionaryReaderQuotas.Max },
                new HttpTransportBindingElement { MaxReceivedMessageSize = int.MaxValue, MaxBufferSize = int.MaxValue });
            var web = new WebHttpBinding { MaxReceivedMessageSize = int.MaxValue, MaxBufferSize = int.MaxValue, ReaderQuotas = XmlDictionaryReaderQuotas.Max };
            services.AddService<WcfEcho>();
            services.AddServiceEndpoint<WcfEcho, IWcfEcho>(basic, "/basic");
            services.AddServiceEndpoint<WcfEcho, IWcfEcho>(binary, "/binary");
            services.AddServiceWebEndpoint<WcfEcho, IWebXmlEcho>(web, "/xml");
            services.AddServiceWebEndpoint<WcfEcho, IWebJsonEcho>(web, "/json");
        });
        await _app.StartAsync();
        var address = new Uri(_app.Urls.Single());
        var invoker = Own(new HttpMessageInvoker(new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false, ActivityHeadersPropagator = null }));
        return
        [
            RpcSubject.Of(RpcSubjects.CoreWcf, Own(WcfClient.Basic(new Uri(address, "/basic")))),
            RpcSubject.Of("CoreWCF binary", Own(WcfClient.Binary(new Uri(address, "/binary")))),
            new HttpPeer(invoker, address, new ContractCodec(isBinary: false), "application/xml").Subject("CoreWCF WebHttp XML", "/xml"),
            new HttpPeer(invoker, address, new ContractJsonCodec(), "application/json").Subject("CoreWCF WebHttp JSON", "/json"),
        ];
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var owned in Enumerable.Reverse(_owned))
            owned.Dispose();
        if (_app is not null)
            await _app.DisposeAsync();
    }

    private T Own<T>(T thing)
        where T : IDisposable
    {
        _owned.Add(thing);
        return thing;
    }
}
