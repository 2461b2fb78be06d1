using System.Buffers;

namespace Postrider.Rpc.Http;

/// <summary>A line for each item; a line that starts with '!' contains problem details and is the last.</summary>
internal sealed class JsonLines : StreamFormat
{
    public const string Json = "application/json";

    public static readonly JsonLines Instance = new();

    public override string ContentType => "application/jsonl";

    public override bool Accepts(ReadOnlySpan<char> mediaType)
        => base.Accepts(mediaType) || mediaType.Equals("application/x-ndjson", StringComparison.OrdinalIgnoreCase);

    public override void WriteFailure(IBufferWriter<byte> output, CallFailure failure)
    {
        var problem = new ArrayBufferWriter<byte>();
        ProblemDetailsMapping.WriteProblem(problem, failure);
        Write(output, StreamRecordKind.Failure, problem.WrittenSpan);
    }

    public override StreamRecordKind Read(ref ReadOnlySequence<byte> input, bool isWhole, out ReadOnlySequence<byte> record)
    {
        if (input.PositionOf((byte)'\n') is { } end)
        {
            record = input.Slice(0, end);
            input = input.Slice(input.GetPosition(1, end));
        }
        else
        {
            record = input;
            if (!isWhole || input.IsEmpty)
                return StreamRecordKind.None;
            input = input.Slice(input.End);
        }

        if (record.IsEmpty || record.FirstSpan[0] != (byte)'!')
            return StreamRecordKind.Item;
        record = record.Slice(1);
        return StreamRecordKind.Failure;
    }

    public override CallFailure ReadFailure(in ReadOnlySequence<byte> record) => ProblemDetailsMapping.ReadProblem(record);

    private protected override int Write(IBufferWriter<byte> output, StreamRecordKind kind, ReadOnlySpan<byte> record)
    {
        var length = record.Length + (kind == StreamRecordKind.Failure ? 2 : 1);
        var line = output.GetSpan(length)[..length];
        if (kind == StreamRecordKind.Failure)
            line[0] = (byte)'!';
        record.CopyTo(line[(length - record.Length - 1)..]);
        line[^1] = (byte)'\n';
        output.Advance(length);
        return length;
    }
}
