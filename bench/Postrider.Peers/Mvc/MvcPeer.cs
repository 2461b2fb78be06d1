using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Benchmarks.MessagePack;
using Postrider.Benchmarks.Rpc;
using Postrider.Benchmarks.Rpc.Peers;
using Twins = Postrider.Benchmarks.Peers.MessagePack;

namespace Postrider.Benchmarks.Peers.Mvc;

/// <summary>MVC's controllers with other formatters than System.Text.Json: Newtonsoft.Json's package, and MessagePack-CSharp by hand.</summary>
internal sealed class MvcPeer : IRpcPeer
{
    private readonly HttpMessageInvoker _http = new(new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false, ActivityHeadersPropagator = null });
    private WebApplication? _app;

    public async Task<IReadOnlyList<RpcSubject>> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Limits.MaxRequestBodySize = null;
            kestrel.Listen(IPAddress.Loopback, 0);
        });
        builder.Services.AddControllers(options =>
        {
            options.InputFormatters.Insert(0, new MessagePackInput());
            options.OutputFormatters.Insert(0, new MessagePackOutput());
        }).AddApplicationPart(typeof(EchoController).Assembly).AddApplicationPart(typeof(PackedController).Assembly)
            .AddNewtonsoftJson(options => options.SerializerSettings.ContractResolver = new Newtonsoft.Json.Serialization.DefaultContractResolver());
        _app = builder.Build();
        _app.MapControllers();
        await _app.StartAsync();
        var address = new Uri(_app.Urls.Single());
        return
        [
            new HttpPeer(_http, address, new NewtonsoftCodec(), "application/json").Subject("MVC Newtonsoft", "/mvc"),
            new HttpPeer(_http, address, new Twins.MessagePackCSharp(), MessagePackInput.MediaType).Subject("MVC MessagePack-CSharp", "/mvc-packed"),
        ];
    }

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        if (_app is not null)
            await _app.DisposeAsync();
    }
}

/// <summary>The echo of MessagePack-CSharp's own types.</summary>
[ApiController]
[Route("mvc-packed")]
public sealed class PackedController : ControllerBase
{
    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    [HttpPost("small")]
    public List<Twins.Small> PostSmall(List<Twins.Small> items) => items;

    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    [HttpPost("large")]
    public List<Twins.Large> PostLarge(List<Twins.Large> items) => items;
}
