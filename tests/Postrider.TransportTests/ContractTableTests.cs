using System.Text.RegularExpressions;
using Postrider.TransportTests.Contract;

namespace Postrider.TransportTests;

/// <summary>docs/transport-contract.md says which cases run against which adapter.</summary>
public sealed partial class ContractTableTests
{
    private static readonly ContractTable s_table = ContractTable.Read();

    [Fact]
    public void Every_case_has_one_row_and_every_adapter_one_column()
    {
        Assert.Equal(Enumerable.Range(1, 84), s_table.Rows.Select(static row => row.Case));
        Assert.Equal(ContractTable.Adapters, s_table.Columns);
        Assert.All(s_table.Rows, static row => Assert.Equal(s_table.Columns.Count, row.Cells.Count));
        Assert.Empty(ContractTable.Adapters.SelectMany(ContractTable.CasesOf).Except(s_table.Rows.Select(static row => row.Case)));
    }

    [Fact]
    public void Cell_says_passes_or_the_opposite_where_the_suite_has_the_case_and_nowhere_else()
    {
        var wrong = new List<string>();
        foreach (var (at, adapter) in s_table.Columns.Index())
        {
            var cases = ContractTable.CasesOf(adapter);
            foreach (var row in s_table.Rows)
            {
                var isRun = row.Cells[at] == "passes" || row.Cells[at].StartsWith("opposite (", StringComparison.Ordinal);
                if (isRun != cases.Contains(row.Case) || !(isRun || row.Cells[at] is "elsewhere" or "does not apply" or "not covered"))
                    wrong.Add($"{row.Case}, {adapter}: {row.Cells[at]}");
            }
        }

        Assert.Empty(wrong);
    }

    [Fact]
    public void Tests_that_hold_a_case_elsewhere_are_named_and_exist()
    {
        var known = Directory.EnumerateFiles(Checkout.PathOf("tests"), "*.cs", SearchOption.AllDirectories).Select(static file => Path.GetFileNameWithoutExtension(file)).ToHashSet(StringComparer.Ordinal);

        Assert.All(s_table.Rows, row => Assert.DoesNotContain(TestName().Matches(row.Remarks), name => !known.Contains(name.Groups[1].Value)));
        Assert.All(s_table.Rows.Where(static row => row.Cells.Contains("elsewhere")), static row => Assert.Matches("`[A-Za-z]+(Tests|Cases)`|case [0-9]+", row.Remarks));
    }

    [GeneratedRegex("`([A-Za-z0-9]+(?:Tests|Cases))`")]
    private static partial Regex TestName();
}
