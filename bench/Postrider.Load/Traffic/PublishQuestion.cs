using System.Text;

namespace Postrider.Load.Traffic;

/// <summary>A publish to a stream that waits for its acknowledgement.</summary>
internal sealed class PublishQuestion : IQuestion
{
    private readonly AckCheck _check;
    private readonly byte[] _frame;
    private readonly int _replyAt;
    private readonly int _replyBytes;
    private QuestionToken _token;

    public PublishQuestion(string stream, string subject, int payloadBytes, string inbox)
    {
        _check = new AckCheck(stream);
        _replyAt = $"PUB {subject} ".Length;
        _replyBytes = inbox.Length + 1 + QuestionToken.Bytes;
        _frame = Encoding.ASCII.GetBytes(
            $"PUB {subject} {inbox}.{new string('0', QuestionToken.Bytes)} {payloadBytes}\r\n{FrameRenderer.Payload(payloadBytes, 0, 0)}\r\n");
    }

    public ReadOnlySpan<byte> Next()
    {
        _token.WriteNext(_frame.AsSpan(_replyAt + _replyBytes - QuestionToken.Bytes));
        return _frame;
    }

    public void Check(in InboundMessage answer)
    {
        if (!answer.Subject.SequenceEqual(_frame.AsSpan(_replyAt, _replyBytes)))
            throw new LoadException($"'{Encoding.ASCII.GetString(answer.Subject)}' answers another publish.");
        _check.Read(answer.Payload);
    }
}
