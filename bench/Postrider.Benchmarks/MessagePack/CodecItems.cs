using System.Text.Json;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>What is written and read: every text is a name and a Guid, as the benchmark of 2018 had it.</summary>
internal static class CodecItems
{
    private static readonly int[] s_counts = [0, 10, 100, 1000];

    /// <summary>The matrix: what, and how many.</summary>
    internal static IEnumerable<(string Name, int Count)> Cells => [.. s_counts.Select(count => ("Small", count)), .. s_counts.Select(count => ("Large", count))];

    /// <summary>The items of a cell as JSON, from which every serializer makes its own.</summary>
    internal static string Json(string name, int count) => name == "Small" ? JsonSerializer.Serialize(Small(count)) : JsonSerializer.Serialize(Large(count));

    internal static List<Small> Small(int count)
    {
        var random = new Random(1);
        return [.. Enumerable.Range(0, count).Select(_ => new Small { Id = NewGuid(random) })];
    }

    internal static List<Large> Large(int count)
    {
        var random = new Random(2);
        return [.. Enumerable.Range(0, count).Select(i => new Large
        {
            Id = NewGuid(random), Number = Text(random, "Number"), CustomerName = Text(random, "CustomerName"), Email = Text(random, "Email"),
            Phone = Text(random, "Phone"), Placed = new DateTime(2018, 5, 1, 0, 0, 0, DateTimeKind.Utc).AddMinutes(i), Total = 100.25m + i,
            Billing = Address(random), Shipping = Address(random), Comment = Text(random, "Comment"),
            Lines = [.. Enumerable.Range(0, 3).Select(n => new OrderLine
            {
                ProductId = NewGuid(random), ProductName = Text(random, "ProductName"), Quantity = n + 1, Price = 9.99m * (n + 1), Comment = Text(random, "Comment"),
            })],
        })];
    }

    private static Address Address(Random random) => new()
    {
        Street = Text(random, "Street"),
        City = Text(random, "City"),
        PostalCode = Text(random, "PostalCode"),
        Country = Text(random, "Country"),
    };

    private static string Text(Random random, string name) => name + NewGuid(random);

    private static Guid NewGuid(Random random)
    {
        var bytes = new byte[16];
        random.NextBytes(bytes);
        return new(bytes);
    }
}
