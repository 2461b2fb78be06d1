using Postrider.Rpc;

namespace Postrider.InteropTests.Grpc.Cases;

/// <summary>The method of the service that no server of the cases has.</summary>
[Service("TestService")]
public interface IUnimplementedMethod
{
    ValueTask UnimplementedCallAsync();
}
