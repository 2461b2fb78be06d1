using System.Buffers;
using Postrider.MessagePack;

namespace Postrider.UnitTests.MessagePack;

public sealed class AllocationTests
{
    [Fact]
    public void Writing_allocates_nothing()
    {
        var buffer = new ArrayBufferWriter<byte>(4096);
        var orders = Orders();
        var formatter = Contracts.Default.ListOfOrder;

        var bytes = Allocations.PerCall(() =>
        {
            buffer.ResetWrittenCount();
            MessagePackSerializer.Serialize(buffer, orders, formatter);
        });

        Assert.Equal(0, bytes);
    }

    [Fact]
    public void Writing_scalars_allocates_nothing()
    {
        var buffer = new ArrayBufferWriter<byte>(4096);
        var value = RoundTripTests.Full();
        var formatter = TextContracts.Default.Everything;

        // A version has no UTF-8 form without a string.
        value.Version = null;
        var bytes = Allocations.PerCall(() =>
        {
            buffer.ResetWrittenCount();
            MessagePackSerializer.Serialize(buffer, value, formatter);
        });

        Assert.Equal(0, bytes);
    }

    [Fact]
    public void Reading_allocates_the_objects_alone()
    {
        var bytes = MessagePackSerializer.Serialize(Orders(), Contracts.Default.ListOfOrder);
        var formatter = Contracts.Default.ListOfOrder;
        List<Order>? kept = null;

        var read = Allocations.PerCall(() => kept = MessagePackSerializer.Deserialize(bytes, formatter));
        var made = Allocations.PerCall(() => kept = Copy(kept!));

        Assert.Equal(made, read);
    }

    [Fact]
    public void Reading_a_struct_allocates_nothing()
    {
        byte[] bytes = [0x92, 1, 2];
        var sum = 0;

        Assert.Equal(0, Allocations.PerCall(() => sum += MessagePackSerializer.Deserialize(bytes, Contracts.Default.Point).X));
        Assert.NotEqual(0, sum);
    }

    private static List<Order> Orders() =>
    [
        .. Enumerable.Range(0, 5).Select(i => new Order
        {
            Id = new Guid(i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), Customer = $"Customer {i} with a long name that fills some vectors", Placed = DateTime.UnixEpoch.AddDays(i),
            Billing = new() { Street = "Wall street 5", City = "Düsseldorf" }, Lines = [new() { Product = "Tea", Quantity = 1000, Price = 2.5m }, new() { Product = "Mug" }],
        }),
    ];

    // The same objects, made by hand: what a reader cannot do without.
    private static List<Order> Copy(List<Order> orders)
    {
        var list = new List<Order>(orders.Count);
        foreach (var order in orders)
        {
            var lines = new List<Line>(order.Lines.Count);
            foreach (var line in order.Lines)
                lines.Add(new() { Product = new string(line.Product.AsSpan()), Quantity = line.Quantity, Price = line.Price });
            list.Add(new()
            {
                Id = order.Id,
                Customer = new string(order.Customer.AsSpan()),
                Placed = order.Placed,
                Billing = new() { Street = new string(order.Billing!.Street.AsSpan()), City = new string(order.Billing.City.AsSpan()) },
                Lines = lines,
            });
        }

        return list;
    }
}
