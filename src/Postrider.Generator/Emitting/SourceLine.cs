using System.Globalization;
using System.Runtime.CompilerServices;

namespace Postrider.Generator.Emitting;

/// <summary>An interpolated line: its parts go into the file's text without a string of their own.</summary>
/// <remarks>The arguments are evaluated while the line is being written: none of them may write to the same source.</remarks>
[InterpolatedStringHandler]
internal readonly ref struct SourceLine
{
    private readonly Source _source;

    public SourceLine(int literalLength, int formattedCount, Source source)
    {
        _ = literalLength + formattedCount;
        _source = source;
        source.Begin();
    }

    public void AppendLiteral(string part) => _source.Append(part);

    public void AppendFormatted(string part) => _source.Append(part);

    public void AppendFormatted(int number) => _source.Append(number.ToString(CultureInfo.InvariantCulture));
}
