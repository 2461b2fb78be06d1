namespace Postrider.Rpc.Hosting.Services;

/// <summary>Registered if the container's servers trace and measure their calls.</summary>
internal sealed class ServerTelemetry;
