using Postrider.Rpc;
using Postrider.Rpc.Grpc;

namespace Postrider.UnitTests.Rpc.Grpc;

public sealed class GrpcStatusTests
{
    [Theory]
    [InlineData(0, RpcStatus.Ok)]
    [InlineData(1, RpcStatus.Cancelled)]
    [InlineData(2, RpcStatus.Unknown)]
    [InlineData(3, RpcStatus.InvalidData)]
    [InlineData(4, RpcStatus.DeadlineExceeded)]
    [InlineData(5, RpcStatus.NotFound)]
    [InlineData(6, RpcStatus.AlreadyExists)]
    [InlineData(7, RpcStatus.Forbidden)]
    [InlineData(8, RpcStatus.Busy)]
    [InlineData(9, RpcStatus.FailedPrecondition)]
    [InlineData(10, RpcStatus.Aborted)]
    [InlineData(11, RpcStatus.OutOfRange)]
    [InlineData(13, RpcStatus.Internal)]
    [InlineData(14, RpcStatus.Unavailable)]
    [InlineData(15, RpcStatus.DataLoss)]
    [InlineData(16, RpcStatus.Unauthenticated)]
    public void Status_is_written_and_read_as_its_number(int code, RpcStatus status)
    {
        Assert.Equal(code, GrpcStatus.From(status));
        Assert.Equal(status, GrpcStatus.ToStatus(code));
    }

    [Theory]
    [InlineData(RpcStatus.Unsupported, 12)]
    [InlineData(RpcStatus.TooLarge, 8)]
    [InlineData(RpcStatus.Fault, 9)]
    [InlineData(RpcStatus.ProtocolError, 13)]
    public void Status_that_gRPC_does_not_have_is_written_as_the_nearest(RpcStatus status, int code) => Assert.Equal(code, GrpcStatus.From(status));

    [Theory]
    [InlineData(12, RpcStatus.NotFound)]
    [InlineData(17, RpcStatus.Unknown)]
    [InlineData(-1, RpcStatus.Unknown)]
    public void Number_without_a_status_of_its_own_is_read_as_the_nearest(int code, RpcStatus status) => Assert.Equal(status, GrpcStatus.ToStatus(code));
}
