namespace Postrider.Rpc.WebSockets;

/// <summary>The subprotocols of a WebSocket, the same on both sides.</summary>
internal static class WebSocketNames
{
    /// <summary>The multiplexed socket's frames in binary messages.</summary>
    public const string Frames = "postrider.frames";

    /// <summary>An object of JSON in each text message.</summary>
    public const string Json = "postrider.json";
}
