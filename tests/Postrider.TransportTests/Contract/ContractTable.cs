using System.Globalization;
using System.Text.RegularExpressions;

namespace Postrider.TransportTests.Contract;

/// <summary>The table of docs/transport-contract.md.</summary>
internal sealed partial class ContractTable
{
    private static readonly Dictionary<string, Type> s_adapters = new(StringComparer.Ordinal)
    {
        ["in-memory"] = typeof(InMemoryContractTests),
        ["NATS streams"] = typeof(NatsContractTests),
        ["Kafka"] = typeof(Kafka.KafkaContractTests),
        ["RabbitMQ 3.10"] = typeof(RabbitMq.RabbitMqContractTests),
        ["RabbitMQ 4.3"] = typeof(RabbitMq.RabbitMq4ContractTests),
        ["SQS"] = typeof(Aws.SqsContractTests),
        ["SQS FIFO"] = typeof(Aws.SqsFifoContractTests),
        ["SNS"] = typeof(Aws.SnsContractTests),
        ["EventBridge"] = typeof(Aws.EventBridgeContractTests),
        ["Service Bus"] = typeof(ServiceBus.ServiceBusContractTests),
        ["Service Bus, own queue"] = typeof(ServiceBus.ServiceBusOwnQueueContractTests),
        ["gRPC"] = typeof(Grpc.GrpcContractTests),
    };

    private ContractTable(IReadOnlyList<string> columns, IReadOnlyList<Row> rows) => (Columns, Rows) = (columns, rows);

    /// <summary>The adapters, in the order of their columns.</summary>
    internal IReadOnlyList<string> Columns { get; }

    internal IReadOnlyList<Row> Rows { get; }

    internal static IEnumerable<string> Adapters => s_adapters.Keys;

    internal static ContractTable Read()
    {
        var lines = File.ReadLines(Checkout.PathOf("docs", "transport-contract.md")).Where(static line => line.StartsWith('|')).SkipWhile(static line => !line.StartsWith("| case |", StringComparison.Ordinal)).ToList();
        return new([.. Cells(lines[0])[2..^1]], [.. lines.Skip(2).Select(static line => Cells(line)).Select(static cells => new Row(int.Parse(cells[0], CultureInfo.InvariantCulture), cells[2..^1], cells[^1]))]);
    }

    /// <summary>The numbers of the cases that a contract class runs.</summary>
    internal static HashSet<int> CasesOf(string adapter)
        => [.. s_adapters[adapter].GetMethods().Select(static method => CaseName().Match(method.Name)).Where(static name => name.Success).SelectMany(static name =>
        {
            var first = int.Parse(name.Groups["first"].Value, CultureInfo.InvariantCulture);
            var last = name.Groups["last"] is { Success: true, Value: var text } ? int.Parse(text, CultureInfo.InvariantCulture) : first;
            return Enumerable.Range(first, last - first + 1);
        })];

    /// <summary>The cells of the adapter that a contract class tests.</summary>
    internal IEnumerable<(int Case, string Text)> CellsOf(Type tests)
    {
        var at = Columns.Index().Single(column => s_adapters[column.Item] == tests).Index;
        return Rows.Select(row => (row.Case, row.Cells[at]));
    }

    [GeneratedRegex("^Case_(?<first>[0-9]+)_((to|and)_(?<last>[0-9]+)_)?")]
    private static partial Regex CaseName();

    private static string[] Cells(string line) => [.. line.Split('|')[1..^1].Select(static cell => cell.Trim())];

    internal sealed record Row(int Case, IReadOnlyList<string> Cells, string Remarks);
}
