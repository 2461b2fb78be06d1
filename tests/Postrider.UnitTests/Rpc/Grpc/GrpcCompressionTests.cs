using Postrider.Rpc;
using Postrider.Rpc.Grpc;

namespace Postrider.UnitTests.Rpc.Grpc;

public sealed class GrpcCompressionTests
{
    [Fact]
    public void Header_chooses_and_its_absence_does_not()
    {
        Assert.True(GrpcCompression.Choice(new RpcHeaders { { GrpcCompression.Header, GrpcCompression.Gzip } }));
        Assert.False(GrpcCompression.Choice(new RpcHeaders { { GrpcCompression.Header, GrpcCompression.Identity } }));
        Assert.Null(GrpcCompression.Choice(new RpcHeaders { { "other", GrpcCompression.Gzip } }));
        Assert.Null(GrpcCompression.Choice(null));
    }

    [Theory]
    [InlineData("grpc-timeout", true)]
    [InlineData("GRPC-Encoding", true)]
    [InlineData("grpc-accept-encoding", true)]
    [InlineData(GrpcCompression.Header, true)]
    [InlineData("grpc-trace-bin", false)]
    [InlineData("tenant", false)]
    public void Callers_header_is_sent_unless_the_call_itself_writes_it(string name, bool isOwn) => Assert.Equal(isOwn, GrpcNames.IsOwn(name));
}
