namespace Postrider.Rpc.Server.Grpc;

/// <summary>How a service is. The numbers are those on the wire.</summary>
internal enum HealthState
{
    Unknown = 0,
    Serving = 1,
    NotServing = 2,
    ServiceUnknown = 3,
}
