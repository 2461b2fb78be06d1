using System.Net;
using System.Net.Sockets;
using Postrider.Rpc.Framing;
using Postrider.Sockets;

namespace Postrider.Rpc.Http;

/// <summary>Creates the HTTP handlers of channels that were given none, with their own connections.</summary>
internal static class HttpHandlers
{
    /// <summary>Creates the handlers.</summary>
    /// <param name="engine">The socket engine.</param>
    /// <param name="version">The HTTP version: a connection that many calls share gains nothing if each response is handled inline.</param>
    /// <param name="unpacks">Whether responses may be compressed.</param>
    /// <exception cref="PlatformNotSupportedException">The engine is not of this system.</exception>
    public static HttpMessageInvoker Open(EngineKind engine, Version version, DecompressionMethods unpacks = DecompressionMethods.None)
    {
        var handler = new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false, ActivityHeadersPropagator = null, AutomaticDecompression = unpacks };
        if (Engines.UsesEpoll(engine) && version.Major < 2)
            handler.ConnectCallback = static async (context, ct) => new OwnedConnectionStream(new FrameTransportStream(await EpollConnector.ConnectAsync(context.DnsEndPoint, ct).ConfigureAwait(false)));
        return new HttpMessageInvoker(handler);
    }
}
