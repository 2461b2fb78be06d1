using System.Runtime.InteropServices;
using Google.Protobuf;
using Postrider.Benchmarks.MessagePack;

namespace Postrider.Benchmarks.Rpc.Protos;

/// <summary>The items as messages of Protobuf, and back. Guid and decimal are 16 bytes, times are ticks.</summary>
internal static class ProtoItems
{
    public static SmallItems Of(List<Small> items) => new() { Items = { items.Select(item => new SmallItem { Id = Bytes(item.Id) }) } };

    public static List<Small> Of(SmallItems items) => [.. items.Items.Select(item => new Small { Id = Guid(item.Id) })];

    public static LargeItems Of(List<Large> items) => new() { Items = { items.Select(Of) } };

    public static List<Large> Of(LargeItems items) => [.. items.Items.Select(Of)];

    private static LargeItem Of(Large item) => new()
    {
        Id = Bytes(item.Id),
        Number = item.Number,
        CustomerName = item.CustomerName,
        Email = item.Email,
        Phone = item.Phone,
        Placed = item.Placed.Ticks,
        Total = Bytes(item.Total),
        Billing = Of(item.Billing),
        Shipping = Of(item.Shipping),
        Lines =
        {
            item.Lines.Select(line => new LargeLine
            {
                ProductId = Bytes(line.ProductId), ProductName = line.ProductName, Quantity = line.Quantity, Price = Bytes(line.Price), Comment = line.Comment,
            }),
        },
        Comment = item.Comment,
    };

    private static Large Of(LargeItem item) => new()
    {
        Id = Guid(item.Id),
        Number = item.Number,
        CustomerName = item.CustomerName,
        Email = item.Email,
        Phone = item.Phone,
        Placed = new DateTime(item.Placed, DateTimeKind.Utc),
        Total = Decimal(item.Total),
        Billing = Of(item.Billing),
        Shipping = Of(item.Shipping),
        Lines =
        [
            .. item.Lines.Select(line => new OrderLine
            {
                ProductId = Guid(line.ProductId), ProductName = line.ProductName, Quantity = line.Quantity, Price = Decimal(line.Price), Comment = line.Comment,
            }),
        ],
        Comment = item.Comment,
    };

    private static LargeAddress Of(Address address) => new() { Street = address.Street, City = address.City, PostalCode = address.PostalCode, Country = address.Country };

    private static Address Of(LargeAddress address) => new() { Street = address.Street, City = address.City, PostalCode = address.PostalCode, Country = address.Country };

    private static ByteString Bytes(Guid id) => ByteString.CopyFrom(id.ToByteArray());

    private static Guid Guid(ByteString bytes) => new(bytes.Span);

    private static ByteString Bytes(decimal value) => ByteString.CopyFrom(MemoryMarshal.AsBytes<int>(decimal.GetBits(value)));

    private static decimal Decimal(ByteString bytes) => new(MemoryMarshal.Cast<byte, int>(bytes.Span));
}
