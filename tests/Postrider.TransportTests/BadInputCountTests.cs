using System.Collections;
using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;

namespace Postrider.TransportTests;

/// <summary>docs/conformance.md counts the bad inputs of the transports: each row of a table once, however many adapters it runs against.</summary>
public sealed partial class BadInputCountTests
{
    private const BindingFlags Any = BindingFlags.Static | BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    [Fact]
    public void Every_table_has_as_many_rows_as_the_page_says_and_together_at_least_150()
    {
        var page = File.ReadAllText(Checkout.PathOf("docs", "conformance.md"));
        var rows = Row().Matches(page).Select(static row => (Type: row.Groups["type"].Value, Member: row.Groups["member"].Value, Count: Number(row.Groups["count"]))).ToList();

        var wrong = rows.Select(static row => (row.Type, row.Member, row.Count, Found: Count(row.Type, row.Member))).Where(static row => row.Count != row.Found).Select(static row => $"{row.Type}.{row.Member} has {row.Found} rows").ToList();
        Assert.True(wrong.Count == 0, string.Join("; ", wrong));
        Assert.Equal(rows.Sum(static row => row.Count), Number(Total().Match(page).Groups["count"]));
        Assert.True(rows.Sum(static row => row.Count) >= 150);
    }

    private static int Count(string type, string name)
    {
        var declaring = typeof(BadInputCountTests).Assembly.GetTypes().Single(found => found.Name == type);
        var member = declaring.GetMember(name, Any).Single();
        return member switch
        {
            FieldInfo field => Rows(field.GetValue(null)),
            PropertyInfo property => Rows(property.GetValue(null)),
            _ => member.GetCustomAttributes<InlineDataAttribute>().Count()
                + member.GetCustomAttributes<MemberDataAttribute>().Sum(data => Rows(declaring.GetProperty(data.MemberName, Any)!.GetValue(null))),
        };
    }

    private static int Rows(object? table) => ((IEnumerable)table!).Cast<object>().Count();

    private static int Number(Group count) => int.Parse(count.Value, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^\|.*\| `(?<type>\w+)\.(?<member>\w+)` \| (?<count>[0-9]+) \|$", RegexOptions.Multiline)]
    private static partial Regex Row();

    [GeneratedRegex("(?<count>[0-9]+) bad inputs")]
    private static partial Regex Total();
}
