using Postrider.Rpc;

namespace Postrider.InteropTests.Grpc.Cases;

/// <summary>The service that no server of the cases has.</summary>
[Service("UnimplementedService")]
public interface IUnimplementedService
{
    ValueTask UnimplementedCallAsync();
}
