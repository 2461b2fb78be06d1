using System.Net;
using System.Net.Sockets;
using Postrider.Rpc.Framing;
using Postrider.Sockets;

namespace Postrider.Rpc.Http;

/// <summary>What channels call over that were given no handlers: connections of their own.</summary>
internal static class HttpHandlers
{
    /// <summary>Makes them.</summary>
    /// <param name="engine">What moves their bytes.</param>
    /// <param name="version">HTTP's: a connection that many calls share gains nothing by handling each answer on the spot.</param>
    /// <param name="unpacks">Whether answers may be compressed.</param>
    /// <exception cref="PlatformNotSupportedException">The engine is not of this system.</exception>
    public static HttpMessageInvoker Open(EngineKind engine, Version version, DecompressionMethods unpacks = DecompressionMethods.None)
    {
        var handler = new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false, ActivityHeadersPropagator = null, AutomaticDecompression = unpacks };
        if (Engines.UsesEpoll(engine) && version.Major < 2)
            handler.ConnectCallback = static async (context, ct) => new OwnedConnectionStream(new FrameTransportStream(await EpollConnector.ConnectAsync(context.DnsEndPoint, ct).ConfigureAwait(false)));
        return new HttpMessageInvoker(handler);
    }
}
