// The service of docs/guide/from-wcf.md, and what the web SDK imports on its own.
global using Microsoft.AspNetCore.Builder;
using System.Runtime.Serialization;

internal static class Surroundings;

[DataContract(Namespace = "urn:shop")]
public class SoldOut
{
    [DataMember] public int Left { get; set; }
}

[DataContract(Namespace = "urn:shop")]
public class Receipt
{
    [DataMember] public int Number { get; set; }
}

public sealed class Shop : IShop
{
    public int Add(int a, int b) => a + b;

    public Task<Receipt> BuyAsync(Order order) => Task.FromResult(new Receipt());
}
