namespace Postrider.Load.Traffic;

/// <summary>The last token of a reply subject: another one for every question, as real clients do.</summary>
internal struct QuestionToken
{
    public const int Bytes = 8;

    private ulong _number;

    public void WriteNext(Span<byte> target)
    {
        var number = _number++;
        for (var i = Bytes - 1; i >= 0; i--)
        {
            target[i] = "0123456789abcdefghijklmnopqrstuv"u8[(int)(number & 31)];
            number >>= 5;
        }
    }
}
