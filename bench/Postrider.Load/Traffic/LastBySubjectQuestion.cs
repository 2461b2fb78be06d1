using System.Text;

namespace Postrider.Load.Traffic;

/// <summary>Asks a stream directly for the newest message of a subject, picked anew each time.</summary>
internal sealed class LastBySubjectQuestion : IQuestion
{
    private const int Digits = 7;

    private readonly Random _random = new(7);
    private readonly int _subjects;
    private readonly byte[] _frame;
    private readonly int _payloadBytes;
    private readonly int _subjectEnd;
    private readonly int _replyEnd;
    private QuestionToken _token;
    private int _number;

    public LastBySubjectQuestion(string stream, string prefix, int subjects, int payloadBytes, string inbox)
    {
        _subjects = subjects;
        _payloadBytes = payloadBytes;
        var start = $"PUB $JS.API.DIRECT.GET.{stream}.{PublishFrames.Numbered(prefix, 0)}";
        var reply = $" {inbox}.{new string('0', QuestionToken.Bytes)}";
        _subjectEnd = start.Length;
        _replyEnd = start.Length + reply.Length;
        _frame = Encoding.ASCII.GetBytes($"{start}{reply} 0\r\n\r\n");
    }

    public ReadOnlySpan<byte> Next()
    {
        _number = _random.Next(_subjects);
        _number.TryFormat(_frame.AsSpan(_subjectEnd - Digits), out _, "D7", System.Globalization.CultureInfo.InvariantCulture);
        _token.WriteNext(_frame.AsSpan(_replyEnd - QuestionToken.Bytes));
        return _frame;
    }

    public void Check(in InboundMessage answer)
    {
        if (answer.Payload.Length != _payloadBytes || answer.Headers.IndexOf(_frame.AsSpan(_subjectEnd - Digits, Digits)) < 0)
            throw new LoadException($"Not the newest message of {_number}: '{Encoding.ASCII.GetString(answer.Headers)}'.");
    }
}
