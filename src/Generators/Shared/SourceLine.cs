using System.Globalization;
using System.Runtime.CompilerServices;

namespace Postrider.Generators;

/// <summary>An interpolated line: its parts are appended to the file's text without an intermediate string.</summary>
/// <remarks>The arguments are evaluated while the line is being written: none of them may write to the same source.</remarks>
[InterpolatedStringHandler]
internal readonly ref struct SourceLine
{
    private readonly SourceWriter _source;

    public SourceLine(int literalLength, int formattedCount, SourceWriter source)
    {
        _ = literalLength + formattedCount;
        _source = source;
        source.Begin();
    }

    public void AppendLiteral(string part) => _source.Append(part);

    public void AppendFormatted(string? part)
    {
        if (part is not null)
            _source.Append(part);
    }

    public void AppendFormatted(int number) => _source.Append(number.ToString(CultureInfo.InvariantCulture));

    public void AppendFormatted(ulong number) => _source.Append(number.ToString(CultureInfo.InvariantCulture));
}
