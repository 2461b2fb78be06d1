using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

internal sealed class Statuses : IStatuses
{
    public ValueTask<int> EndAsync(int status, CallContext context, CancellationToken ct = default)
    {
        context.ResponseHeaders["first"] = "a";
        context.ResponseTrailers["last"] = "b";
        return status == 0 ? new(1) : throw new RpcException((RpcStatus)status, "As told.");
    }

    public ValueTask<string> DrawAsync(Figure figure) => new(figure.ToString()!);

    public ValueTask<string> NameAsync(Detail? detail) => new(detail is null ? "none" : "one");

    public ValueTask<string> PairAsync(string? first, int? second) => new($"{first ?? "none"} {second?.ToString() ?? "none"}");

    public ValueTask<string> NameOfAsync(int id, Detail? detail) => new($"{id} {(detail is null ? "none" : "one")}");

    public ValueTask<double> NumberAsync(double number) => new(number);

    public ValueTask<int> LengthAsync(byte[]? bytes) => new(bytes?.Length ?? -1);

    public ValueTask<int> SetAsync(int number, Detail detail) => new(number);
}
