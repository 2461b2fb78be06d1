using System.Security.Claims;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;

namespace ParcelDesk.Web;

/// <summary>The prices: one object for each call.</summary>
internal sealed class Rates(ILogger<Rates> logger) : IRates
{
    public ValueTask<int> PriceAsync(string to, double kilograms, CancellationToken ct = default)
    {
        var price = 400 + (int)(kilograms * 50);
        if (logger.IsEnabled(LogLevel.Debug))
            logger.LogDebug("A parcel of {Kilograms} kg to {To} costs {Price}.", kilograms, to, price);
        return new(price);
    }
}

/// <summary>Authenticates the worker by its token. A real application looks it up, or validates a JWT.</summary>
internal sealed class Tokens(IConfiguration configuration) : RpcAuthenticator
{
    public override ValueTask<ClaimsPrincipal?> AuthenticateAsync(CallContext context, CancellationToken ct)
        => new(context.Headers["authorization"] == $"Bearer {configuration["Rates:Token"]}"
            ? new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "worker")], "token"))
            : null);
}
