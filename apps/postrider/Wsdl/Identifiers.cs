using System.Globalization;
using System.Text;

namespace Postrider.CommandLine.Wsdl;

/// <summary>Unique C# names for XML names.</summary>
internal sealed class Identifiers
{
    private static readonly HashSet<string> s_keywords = new(
        ("abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit extern false finally fixed float for foreach "
        + "goto if implicit in int interface internal is lock long namespace new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof "
        + "stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while").Split(' '), StringComparer.Ordinal);

    private readonly HashSet<string> _taken;

    internal Identifiers(params IEnumerable<string> taken) => _taken = new(taken, StringComparer.Ordinal);

    /// <summary>A name that is not used yet.</summary>
    internal string Take(string name)
    {
        var wanted = Of(name);
        var given = wanted;
        for (var i = 2; !_taken.Add(given); i++)
            given = wanted + i.ToString(CultureInfo.InvariantCulture);
        return given;
    }

    /// <summary>A name in Pascal case, as for types and members, that is not used yet.</summary>
    internal string TakePascal(string name) => Take(Pascal(name));

    internal static string Pascal(string name)
    {
        var plain = Of(name);
        return char.ToUpperInvariant(plain[0]) + plain[1..];
    }

    internal static string Of(string name)
    {
        var text = new StringBuilder();
        var isUpper = false;
        foreach (var c in name)
        {
            if (char.IsLetterOrDigit(c) || c == '_')
            {
                text.Append(isUpper ? char.ToUpperInvariant(c) : c);
                isUpper = false;
            }
            else
            {
                isUpper = text.Length > 0;
            }
        }

        if (text.Length == 0 || char.IsDigit(text[0]))
            text.Insert(0, '_');
        return text.ToString();
    }

    /// <summary>The name, escaped if it is a keyword.</summary>
    internal static string Escape(string name) => s_keywords.Contains(name) ? "@" + name : name;
}
